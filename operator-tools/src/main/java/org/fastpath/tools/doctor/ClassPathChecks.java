package org.fastpath.tools.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.fastpath.tools.conf.ClassPath;
import org.fastpath.tools.conf.ClassPath.Jar;

/** Checks of classes that keys name, and of the jars that hold them. */
final class ClassPathChecks {
  private static final int MISTAKES_IN_CLASSES = 4;

  private ClassPathChecks() {}

  static List<Check> all() {
    return List.of(
        Check.each(ClassPathChecks::misspelt),
        Check.each(ClassPathChecks::withoutJar),
        Check.each(ClassPathChecks::twoVersions),
        Check.each(ClassPathChecks::notFirst));
  }

  private static List<Switch> classes() {
    return Arrays.stream(Switch.values()).filter(Switch::namesClass).toList();
  }

  private static void misspelt(ConfDirectory directory, Consumer<Problem> problems) {
    List<String> ours = classes().stream().map(s -> s.value().orElseThrow()).toList();
    classes().stream()
        .map(Switch::key)
        .distinct()
        .forEach(
            key -> {
              for (String name : directory.site().list(key)) {
                Spelling.within(name, ours, MISTAKES_IN_CLASSES)
                    .filter(meant -> !ours.contains(name) && !loads(directory, name))
                    .ifPresent(meant -> problems.accept(misspelt(directory, key, name, meant)));
              }
            });
  }

  private static boolean loads(ConfDirectory directory, String className) {
    return directory.classPath().filter(path -> !path.holding(className).isEmpty()).isPresent();
  }

  private static Problem misspelt(ConfDirectory directory, String key, String name, String meant) {
    List<String> classes = new ArrayList<>(directory.site().list(key));
    classes.replaceAll(c -> c.equals(name) ? meant : c);
    return new Problem(
        Kind.MISSPELT_CLASS,
        directory.place(key),
        "There is no class " + name + "; " + meant + " is the nearest.",
        RemedyLine.replace(
            directory.site().property(key).orElseThrow(), key, String.join(",", classes)));
  }

  private static void withoutJar(ConfDirectory directory, Consumer<Problem> problems) {
    if (directory.classPath().isEmpty()) {
      return;
    }
    ClassPath path = directory.classPath().get();
    List<Switch> missing =
        classes().stream()
            .filter(named -> named.named(directory))
            .filter(named -> path.holding(named.value().orElseThrow()).isEmpty())
            .toList();
    if (!missing.isEmpty()) {
      problems.accept(withoutJar(directory, missing));
    }
  }

  private static Problem withoutJar(ConfDirectory directory, List<Switch> missing) {
    List<String> names = missing.stream().map(named -> named.value().orElseThrow()).toList();
    String jars =
        names.stream()
            .map(name -> Module.of(name).jar())
            .distinct()
            .collect(Collectors.joining(":"));
    return new Problem(
        Kind.CLASS_WITHOUT_JAR,
        directory.place(missing.get(0).key()),
        "No jar on the class path holds "
            + String.join(", ", names)
            + "; the process does not start.",
        classPathLine(directory, jars));
  }

  private static String classPathLine(ConfDirectory directory, String jars) {
    String variable = directory.hbase() ? "HBASE_CLASSPATH_PREFIX" : "HADOOP_CLASSPATH";
    String before = directory.env().value(variable);
    return RemedyLine.export(
        directory.envFile(), variable, before.isEmpty() ? jars : jars + ":" + before);
  }

  private static void twoVersions(ConfDirectory directory, Consumer<Problem> problems) {
    if (directory.classPath().isEmpty()) {
      return;
    }
    Map<String, List<Jar>> byTitle = new TreeMap<>();
    for (Jar jar : directory.classPath().get().titled(Module.titles())) {
      byTitle.computeIfAbsent(jar.title(), title -> new ArrayList<>()).add(jar);
    }
    byTitle.forEach(
        (title, jars) -> {
          if (jars.size() > 1) {
            problems.accept(twice(title, jars));
          }
        });
  }

  private static Problem twice(String title, List<Jar> jars) {
    Jar first = jars.get(0);
    Jar second = jars.get(1);
    return new Problem(
        Kind.TWO_VERSIONS_ON_CLASSPATH,
        second.path().toString(),
        title
            + " is on the class path twice, as "
            + first.version()
            + " in "
            + first.path()
            + " and as "
            + second.version()
            + "; the first counts.",
        "rm " + older(first, second).path());
  }

  private static Jar older(Jar a, Jar b) {
    return Versions.ORDER.compare(a.version(), b.version()) < 0 ? a : b;
  }

  /** Checks the order. A patch works only before the class that it replaces. */
  private static void notFirst(ConfDirectory directory, Consumer<Problem> problems) {
    if (directory.classPath().isEmpty()) {
      return;
    }
    ClassPath path = directory.classPath().get();
    for (Module module : Module.values()) {
      if (module == Module.TIERED && !Switch.STORAGE_POLICIES.named(directory)) {
        continue; // Only NameNodes with an operator's policies need its patch.
      }
      Optional<Path> jar = path.titled(List.of(module.title())).stream().map(Jar::path).findFirst();
      jar.flatMap(own -> behind(path, module, own))
          .ifPresent(stock -> problems.accept(behind(directory, module, jar.get(), stock)));
    }
  }

  /** Returns the jar of HBase or Hadoop that precedes a patch of this module. */
  private static Optional<Path> behind(ClassPath path, Module module, Path own) {
    return module.patches().stream()
        .map(path::holding)
        .filter(jars -> jars.contains(own) && !jars.get(0).equals(own))
        .map(jars -> jars.get(0))
        .findFirst();
  }

  private static Problem behind(ConfDirectory directory, Module module, Path own, Path stock) {
    String remedy =
        directory.hbase()
            ? RemedyLine.export(directory.envFile(), "HBASE_CLASSPATH_PREFIX", own.toString())
            : RemedyLine.export(directory.envFile(), "HADOOP_USER_CLASSPATH_FIRST", "true");
    return new Problem(
        Kind.PATCH_NOT_FIRST,
        own.toString(),
        module.title()
            + " stands behind "
            + stock.getFileName()
            + ", so that its patch does"
            + " nothing.",
        remedy);
  }
}
