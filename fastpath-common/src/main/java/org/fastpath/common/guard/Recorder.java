package org.fastpath.common.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.fastpath.common.guard.ClassFile.Member;
import org.fastpath.common.guard.Classes.Found;

/**
 * Writes the list of relied-on code of each feature into the module's classes. The build runs it.
 *
 * <p>Members are all those that our own class files refer to. A feature relies on the behaviour of
 * a method if a class of ours overrides it or the feature's file names it: see {@link
 * RecordedFeature}.
 */
final class Recorder {
  private static final String UPSTREAM = "org/apache/hadoop/";
  private static final String HBASE = UPSTREAM + "hbase/";

  /** The versions that any feature of the module was verified with: a line for each family. */
  private static final String VERSIONS_FILE = "versions";

  private static final List<String> FAMILIES = List.of("hbase", "hadoop");

  private final Path upstream;
  private final Map<String, ClassFile> ours;

  private Recorder(Path upstream, Map<String, ClassFile> ours) {
    this.upstream = upstream;
    this.ours = ours;
  }

  /**
   * Records all features of a module.
   *
   * @param args the folders of the module's classes, of its {@code .relies} files, of the upstream
   *     jars, and the one to write to
   */
  public static void main(String[] args) throws IOException {
    Recorder recorder = new Recorder(Path.of(args[2]), classes(Path.of(args[0])));
    Path target = Files.createDirectories(Path.of(args[3]));
    Files.writeString(target.resolve(ClassPathSource.MARKER_FILE), "");
    Map<String, Set<String>> versions = new TreeMap<>();
    try (Stream<Path> files = Files.list(Path.of(args[1]))) {
      for (Path file : files.filter(RecordedFeature.files()).sorted().toList()) {
        RecordedFeature feature = RecordedFeature.read(file);
        Path list = target.resolve(feature.name() + ".guard");
        Path known = target.resolve(feature.name() + ".known");
        if (recorder.own(feature).isEmpty()) {
          Files.deleteIfExists(list); // The profile of an older version compiles none of them.
          Files.deleteIfExists(known);
        } else {
          Reliance reliance = recorder.record(feature);
          Files.writeString(list, reliance.text());
          Files.writeString(known, recorder.known(feature, reliance).text());
          FAMILIES.forEach(
              family ->
                  versions
                      .computeIfAbsent(family, f -> new LinkedHashSet<>())
                      .addAll(feature.versions(family)));
        }
      }
    }
    Files.writeString(target.resolve(VERSIONS_FILE), lines(versions));
  }

  private static String lines(Map<String, Set<String>> versions) {
    StringBuilder lines = new StringBuilder();
    versions.forEach(
        (family, all) ->
            lines.append(family).append(' ').append(String.join(" ", all)).append('\n'));
    return lines.toString();
  }

  private static Map<String, ClassFile> classes(Path folder) throws IOException {
    Map<String, ClassFile> classes = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).sorted().toList()) {
        ClassFile read = ClassFile.of(Files.readAllBytes(file));
        classes.put(read.name(), read);
      }
    }
    return classes;
  }

  private List<ClassFile> own(RecordedFeature feature) {
    return ours.values().stream().filter(file -> feature.owns(file.name())).toList();
  }

  private Reliance record(RecordedFeature feature) throws IOException {
    Reliance reliance = new Reliance();
    List<ClassFile> own = own(feature);
    own.forEach(file -> references(file, reliance));
    feature.patched().forEach(name -> reliance.of(name).flag(Use.PATCHED));
    for (String family : FAMILIES) {
      for (String version : feature.versions(family)) {
        try (RecordedJars jars = new RecordedJars(upstream, worlds(feature, family, version))) {
          behaviour(feature, family, own, new Classes(jars), reliance);
        }
      }
    }
    for (String family : FAMILIES) {
      for (String version : feature.versions(family)) {
        try (RecordedJars jars = new RecordedJars(upstream, worlds(feature, family, version))) {
          Classes classes = new Classes(jars);
          feature.methods().stream()
              .filter(each -> isOf(family, each[0]) && each[1].equals("*"))
              .forEach(each -> absent(each[0], classes, reliance));
        }
      }
    }
    feature.optional().forEach(each -> reliance.of(each[0]).optional(each[1]));
    knownUses(feature, reliance);
    return reliance;
  }

  /** Notes the class files that the comparison of each class needs, with their CRCs. */
  private void knownUses(RecordedFeature feature, Reliance reliance) throws IOException {
    inEachVersion(
        feature,
        classes ->
            reliance
                .classes()
                .forEach(
                    (name, use) -> {
                      classes.takeAsked();
                      Guard.isSame(name, use, classes);
                      use.files().addAll(classes.takeAsked());
                    }));
    Map<String, Set<Long>> known = new LinkedHashMap<>();
    inEachVersion(
        feature,
        classes ->
            reliance
                .classes()
                .forEach(
                    (name, use) -> {
                      if (Guard.isSame(name, use, classes)) {
                        known
                            .computeIfAbsent(name, absent -> new LinkedHashSet<>())
                            .add(classes.fingerprint(use.files()));
                      }
                    }));
    known.forEach((name, sums) -> sums.forEach(reliance.of(name)::known));
  }

  /** Notes the class files of the versions in which everything is the same. */
  private KnownFiles known(RecordedFeature feature, Reliance reliance) throws IOException {
    Set<String> names = new TreeSet<>();
    reliance.classes().values().forEach(use -> names.addAll(use.files()));
    KnownFiles known = new KnownFiles(names);
    inEachVersion(
        feature,
        classes -> {
          if (Guard.check(reliance, classes).same()) {
            known.add(classes);
          }
        });
    return known;
  }

  private void inEachVersion(RecordedFeature feature, Consumer<Classes> work) throws IOException {
    for (String family : FAMILIES) {
      for (String version : feature.versions(family)) {
        try (RecordedJars jars = new RecordedJars(upstream, worlds(feature, family, version))) {
          work.accept(new Classes(jars));
        }
      }
    }
  }

  /** Returns the version itself, and behind it the primary ones of both families. */
  private static List<String> worlds(RecordedFeature feature, String family, String version) {
    Set<String> versions = new LinkedHashSet<>(List.of(version));
    versions.add(feature.versions(family).get(0));
    for (String other : FAMILIES) {
      feature.versions(other).stream().limit(1).forEach(versions::add);
    }
    return new ArrayList<>(versions);
  }

  private boolean isUpstream(String name) {
    return name != null && name.startsWith(UPSTREAM) && !ours.containsKey(name);
  }

  // Members.

  private void references(ClassFile file, Reliance reliance) {
    ConstantPool constants = file.constants();
    for (int index = 1; index < constants.size(); index++) {
      switch (constants.tag(index)) {
        case ConstantPool.CLASS -> type(file, constants.text(index), reliance);
        case ConstantPool.FIELD, ConstantPool.METHOD, ConstantPool.INTERFACE_METHOD ->
            member(file, constants, index, reliance);
        default -> {
          // refers to nothing by itself
        }
      }
    }
    if (isUpstream(file.parent())) {
      reliance.of(file.parent()).flag(Use.EXTENDED);
    }
  }

  private void type(ClassFile file, String name, Reliance reliance) {
    String element = name.startsWith("[") ? name.replaceFirst("^\\[+L?(.*?);?$", "$1") : name;
    if (isUpstream(element)) {
      Use use = reliance.of(element);
      if (!inOnePackage(file.name(), element)) {
        use.flag(Use.OUTSIDE);
      }
    }
  }

  private void member(ClassFile file, ConstantPool constants, int index, Reliance reliance) {
    String owner = constants.owner(index);
    if (!isUpstream(owner)) {
      return;
    }
    int tag = constants.tag(index);
    Use use = reliance.of(owner);
    use.member(
        tag == ConstantPool.FIELD,
        constants.name(index) + ' ' + constants.descriptor(index),
        !inOnePackage(file.name(), owner));
    if (tag != ConstantPool.FIELD) {
      use.flag(tag == ConstantPool.METHOD ? Use.CLASS : Use.INTERFACE);
    }
  }

  private static boolean inOnePackage(String one, String other) {
    return one.substring(0, one.lastIndexOf('/'))
        .equals(other.substring(0, other.lastIndexOf('/')));
  }

  // Behaviour.

  private void behaviour(
      RecordedFeature feature,
      String family,
      List<ClassFile> own,
      Classes classes,
      Reliance reliance) {
    for (ClassFile file : own) {
      supertypes(file, family, classes, reliance);
    }
    for (String[] each : feature.methods()) {
      if (isOf(family, each[0])) {
        named(each[0], each[1], classes, reliance);
      }
    }
    for (String[] each : feature.fields()) {
      if (isOf(family, each[0])) {
        reflected(each[0], each[1], classes, reliance);
      }
    }
  }

  private static boolean isOf(String family, String name) {
    return name.startsWith(HBASE) == family.equals("hbase");
  }

  private void supertypes(ClassFile file, String family, Classes classes, Reliance reliance) {
    List<String> parents = new ArrayList<>(file.interfaces());
    parents.add(file.parent());
    for (String parent : parents) {
      if (isUpstream(parent) && isOf(family, parent) && classes.find(parent) != null) {
        overridden(file, parent, classes, reliance);
        for (String key : classes.abstracts(parent)) {
          reliance.of(parent).implemented(key);
        }
      }
    }
  }

  /**
   * Notes the overridden methods of classes. Interfaces are skipped: an overridden default method
   * is never called.
   */
  private void overridden(ClassFile file, String parent, Classes classes, Reliance reliance) {
    for (Member method : file.methods()) {
      int apart = ClassFile.STATIC | ClassFile.PRIVATE | ClassFile.SYNTHETIC;
      Found found =
          method.is(apart) || method.name().startsWith("<")
              ? null
              : classes.member(parent, method.key(), false);
      if (found != null
          && isUpstream(found.in().name())
          && !found.in().is(ClassFile.INTERFACE)
          && !found.member().is(apart | ClassFile.ABSTRACT)) {
        code(found.in(), found.member(), classes, reliance);
      }
    }
  }

  private void named(String owner, String name, Classes classes, Reliance reliance) {
    ClassFile file = classes.find(owner);
    if (file == null) {
      throw new IllegalArgumentException(owner + " is in none of the jars");
    }
    if (name.equals("*")) {
      all(file, classes, reliance);
      return;
    }
    boolean any = false;
    for (Member method : file.methods()) {
      if (method.name().equals(name)) {
        code(file, method, classes, reliance);
        any = true;
      }
    }
    if (!any) {
      throw new IllegalArgumentException(owner + " has no method " + name);
    }
  }

  private static void all(ClassFile file, Classes classes, Reliance reliance) {
    for (Member method : file.methods()) {
      if (!method.is(ClassFile.SYNTHETIC)) {
        code(file, method, classes, reliance);
      }
    }
  }

  /** Notes the methods that a version lacks and another one has. */
  private static void absent(String owner, Classes classes, Reliance reliance) {
    ClassFile file = classes.find(owner);
    for (String key : List.copyOf(reliance.of(owner).code().keySet())) {
      if (file.method(key.replace(" ", "")) == null) {
        reliance.of(owner).code(key, Use.ABSENT);
      }
    }
  }

  private static void code(ClassFile file, Member method, Classes classes, Reliance reliance) {
    reliance
        .of(file.name())
        .code(method.name() + ' ' + method.descriptor(), CodeDigest.of(file, method, classes));
  }

  private static void reflected(String owner, String name, Classes classes, Reliance reliance) {
    for (Member field : classes.find(owner).fields()) {
      if (field.name().equals(name)) {
        reliance.of(owner).reflected(name + ' ' + field.descriptor());
      }
    }
  }
}
