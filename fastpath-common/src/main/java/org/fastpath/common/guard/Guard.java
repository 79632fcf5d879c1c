package org.fastpath.common.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.fastpath.common.guard.ClassFile.Member;
import org.fastpath.common.guard.Classes.Found;

/** Compares the code that a feature relies on with the class files that the process would load. */
public final class Guard {
  private final Classes classes;
  private final List<String> missing = new ArrayList<>();
  private final List<String> changed = new ArrayList<>();

  private Guard(Classes classes) {
    this.classes = classes;
  }

  /** Compares, and returns the differences in the order of the classes' names. */
  public static Verdict check(Reliance reliance, ClassSource source) {
    return check(reliance, new Classes(source));
  }

  static Verdict check(Reliance reliance, Classes classes) {
    long begin = System.nanoTime();
    int before = classes.count();
    Guard guard = new Guard(classes);
    reliance.classes().forEach(guard::check);
    return new Verdict(
        List.copyOf(guard.missing),
        List.copyOf(guard.changed),
        reliance.classes().size(),
        classes.count() - before,
        System.nanoTime() - begin);
  }

  /** Returns whether one class has everything that is used of it, as verified. */
  static boolean isSame(String name, Use use, Classes classes) {
    Guard guard = new Guard(classes);
    guard.check(name, use);
    return guard.missing.isEmpty() && guard.changed.isEmpty();
  }

  private void check(String name, Use use) {
    if (use.isKnown(classes)) {
      return;
    }
    ClassFile file = readable(name);
    if (file == null) {
      missing.add(name.replace('/', '.') + " cannot be read");
      return;
    }
    checkKind(file, use);
    checkMembers(name, use, false);
    checkMembers(name, use, true);
    checkAbstracts(file, use);
    if (use.has(Use.PATCHED)) {
      checkPatch(file, use);
    }
    use.code().forEach((key, digests) -> checkCode(file, key, digests));
  }

  private ClassFile readable(String name) {
    try {
      return classes.find(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void checkKind(ClassFile file, Use use) {
    String name = file.name().replace('/', '.');
    if (use.has(Use.OUTSIDE) && !file.is(ClassFile.PUBLIC) && file.name().indexOf('$') < 0) {
      missing.add(name + " is not public");
    }
    if (use.has(Use.EXTENDED) && file.is(ClassFile.FINAL)) {
      missing.add(name + " is final");
    }
    boolean other = file.is(ClassFile.INTERFACE) ? use.has(Use.CLASS) : use.has(Use.INTERFACE);
    if (other) {
      missing.add(name + (file.is(ClassFile.INTERFACE) ? " is an interface" : " is a class"));
    }
  }

  private void checkMembers(String owner, Use use, boolean field) {
    use.members(field)
        .forEach(
            (key, from) -> {
              if (!usable(owner, key.replace(" ", ""), field, from)) {
                missing.add(name(owner, key) + " is missing");
              }
            });
  }

  private boolean usable(String owner, String key, boolean field, String from) {
    Found found = classes.member(owner, key, field);
    if (found == null) {
      return endsElsewhere(owner);
    }
    return switch (from) {
      case Use.OUTSIDE -> found.member().is(ClassFile.PUBLIC | ClassFile.PROTECTED);
      case Use.REFLECTION -> true;
      default -> !found.member().is(ClassFile.PRIVATE);
    };
  }

  /** Returns whether a class above cannot be read, so that the member may be there. */
  private boolean endsElsewhere(String owner) {
    ClassFile file = classes.find(owner);
    if (file == null) {
      return !owner.startsWith(Classes.UPSTREAM);
    }
    return file.parent() != null && endsElsewhere(file.parent())
        || file.interfaces().stream().anyMatch(this::endsElsewhere);
  }

  private void checkAbstracts(ClassFile file, Use use) {
    if (!use.has(Use.IMPLEMENTED)) {
      return;
    }
    for (String key : classes.abstracts(file.name())) {
      if (!use.abstracts().contains(key)) {
        missing.add(name(file.name(), key) + " is abstract and has no implementation of ours");
      }
    }
  }

  /** A patch must have all methods of the class that it stands for. */
  private void checkPatch(ClassFile file, Use use) {
    for (Member method : file.methods()) {
      String key = method.name() + ' ' + method.descriptor();
      if (!method.is(ClassFile.SYNTHETIC) && !use.code().containsKey(key)) {
        missing.add(name(file.name(), key) + " is new and the patch of the class lacks it");
      }
    }
  }

  private void checkCode(ClassFile file, String key, Set<Long> digests) {
    Member method = file.method(key.replace(" ", ""));
    if (method == null) {
      if (!digests.contains(Use.ABSENT)) {
        changed.add(name(file.name(), key) + " is gone");
      }
    } else if (!digests.contains(CodeDigest.of(file, method, classes))) {
      changed.add(name(file.name(), key) + " differs from the verified code");
    }
  }

  /** Such as {@code org.apache.hadoop.hbase.regionserver.HStore#getScanner}. */
  private static String name(String owner, String key) {
    return owner.replace('/', '.') + '#' + key.substring(0, key.indexOf(' '));
  }
}
