package org.fastpath.common.guard;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fastpath.common.guard.ClassFile.Member;

/** Reads class files from a source, each once. Not thread-safe. */
final class Classes {
  static final String UPSTREAM = "org/apache/hadoop/";

  /** Of a multiplicative hash: an odd number near 2^64 divided by the golden ratio. */
  private static final long FACTOR = 0x9e3779b97f4a7c15L;

  private static final int ROTATION = 29;

  private final ClassSource source;
  private final Map<String, ClassFile> read = new HashMap<>();
  private final Map<String, Long> crcs = new HashMap<>();

  /** The names of upstream classes that were asked for. */
  private final Set<String> asked = new TreeSet<>();

  /** A member, and the class that declares it. */
  record Found(ClassFile in, Member member) {}

  Classes(ClassSource source) {
    this.source = source;
  }

  /** Returns a class, or null if the source has none of the name. */
  ClassFile find(String name) {
    if (name.startsWith(UPSTREAM)) {
      asked.add(name);
    }
    return read.computeIfAbsent(name, this::read);
  }

  private ClassFile read(String name) {
    byte[] bytes = source.find(name);
    return bytes == null ? null : ClassFile.of(bytes);
  }

  /** Returns how many class files were asked for. Those that are not there count too. */
  int count() {
    return read.size();
  }

  /** Returns the names of the upstream classes that were asked for, and forgets them. */
  Set<String> takeAsked() {
    Set<String> taken = new TreeSet<>(asked);
    asked.clear();
    return taken;
  }

  /**
   * Sums up class files, in the order of the names, by their CRCs, without reading them from a jar.
   */
  long fingerprint(Iterable<String> names) {
    long sum = 0;
    for (String name : names) {
      Long crc = crcs.get(name);
      if (crc == null) {
        crc = source.crc(name);
        crcs.put(name, crc);
      }
      sum = Long.rotateLeft(sum ^ crc, ROTATION) * FACTOR;
    }
    return sum;
  }

  /** Looks a member up as the JVM does (JVMS 5.4.3): in the class, above it, in its interfaces. */
  Found member(String owner, String key, boolean field) {
    ClassFile file = find(owner);
    if (file == null) {
      return null;
    }
    Member member = field ? file.field(key) : file.method(key);
    if (member != null) {
      return new Found(file, member);
    }
    Found above = file.parent() == null ? null : member(file.parent(), key, field);
    for (String each : file.interfaces()) {
      above = above == null ? member(each, key, field) : above;
    }
    return above;
  }

  /**
   * Returns the abstract methods that a class or interface leaves to its subclasses, by name and
   * descriptor with a space between.
   */
  Set<String> abstracts(String name) {
    Set<String> left = new TreeSet<>();
    Set<String> done = new HashSet<>();
    collect(name, left, done);
    left.removeAll(done);
    return left;
  }

  private void collect(String name, Set<String> left, Set<String> done) {
    ClassFile file = find(name);
    if (file == null) {
      return;
    }
    // The abstract methods of the JDK's interfaces are the same everywhere.
    boolean upstream = name.startsWith(UPSTREAM);
    for (Member method : file.methods()) {
      if (method.is(ClassFile.STATIC | ClassFile.PRIVATE)) {
        continue;
      }
      String key = method.name() + ' ' + method.descriptor();
      if (!method.is(ClassFile.ABSTRACT)) {
        done.add(key);
      } else if (upstream) {
        left.add(key);
      }
    }
    if (file.parent() != null) {
      collect(file.parent(), left, done);
    }
    file.interfaces().forEach(each -> collect(each, left, done));
  }
}
