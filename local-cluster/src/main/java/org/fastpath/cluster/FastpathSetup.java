package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The jars, keys and flags of daemons for a set of our modules. */
final class FastpathSetup {
  /** No module of ours. */
  static final FastpathSetup NONE = new FastpathSetup(Set.of(), null, FastpathSizes.small());

  /** The system property that names the directory of our jars. */
  static final String JARS = "fastpath.jars";

  /** The jar of the RegionServer class that switches the others on. */
  private static final String SERVER_ARTIFACT = "fastpath-regionserver";

  private static final String SERVER_CLASS = "org.fastpath.regionserver.FastpathRegionServer";

  private final Set<Modules> modules;
  private final Path serverJar;
  private final Map<Modules, Path> jars;
  private final FastpathSizes sizes;

  private FastpathSetup(Set<Modules> modules, Path directory, FastpathSizes sizes) {
    this.modules = modules;
    this.sizes = sizes;
    jars = new LinkedHashMap<>();
    modules.forEach(module -> jars.put(module, jar(directory, module.artifact())));
    serverJar = hasServer() ? jar(directory, SERVER_ARTIFACT) : null;
  }

  /**
   * Finds the modules' jars.
   *
   * @param directory of the jars; null for the directory in the system property fastpath.jars
   * @throws IllegalArgumentException if a jar is missing
   */
  static FastpathSetup of(Set<Modules> modules, Path directory, FastpathSizes sizes) {
    return new FastpathSetup(modules, directory == null ? byProperty() : directory, sizes);
  }

  private static Path byProperty() {
    String value = System.getProperty(JARS);
    if (value == null) {
      throw new IllegalArgumentException(
          "where are our jars? Name their directory by fastpathJars(...), --fastpath-jars, or the"
              + " system property "
              + JARS);
    }
    return Path.of(value);
  }

  /** Returns the jar of an artifact, with or without a version in its name. */
  private static Path jar(Path directory, String artifact) {
    Pattern name =
        Pattern.compile(
            Pattern.quote(artifact) + "(-[0-9.]+(-SNAPSHOT)?)?\\.jar", Pattern.CASE_INSENSITIVE);
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream =
        Files.newDirectoryStream(
            directory, path -> name.matcher(path.getFileName().toString()).matches())) {
      stream.forEach(found::add);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot list our jars in " + directory + ": " + e, e);
    }
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          directory
              + (found.isEmpty() ? " has no " : " has more than one ")
              + artifact
              + ".jar: name the directory that holds our jars, each once");
    }
    return found.get(0);
  }

  /** Returns whether a module is for RegionServers. */
  private boolean hasServer() {
    return modules.stream().anyMatch(module -> module.roles().contains(Role.REGIONSERVER));
  }

  /** Returns the jars in front of the class path of daemons of a role. */
  List<Path> jars(Role role) {
    Set<Path> inFront = new LinkedHashSet<>();
    if (role == Role.REGIONSERVER && serverJar != null) {
      inFront.add(serverJar);
    }
    jars.forEach(
        (module, jar) -> {
          if (module.roles().contains(role)) {
            inFront.add(jar);
          }
        });
    return List.copyOf(inFront);
  }

  /** Returns the keys of daemons of a role. */
  Map<String, String> conf(Role role) {
    Map<String, String> conf = new LinkedHashMap<>();
    if (role == Role.REGIONSERVER && serverJar != null) {
      conf.put("hbase.regionserver.impl", SERVER_CLASS);
      conf.put(
          "hbase.fastpath.modules",
          modules.stream().map(Modules::label).collect(Collectors.joining(",")));
    }
    modules.forEach(module -> conf.putAll(module.conf(role, sizes)));
    return conf;
  }

  /** Returns the flags of their JVMs. */
  List<String> jvmFlags(Role role) {
    Set<String> flags = new LinkedHashSet<>();
    modules.forEach(module -> flags.addAll(module.jvmFlags(role, sizes)));
    return List.copyOf(flags);
  }

  /** Returns whether short-circuit reads use locked memory. */
  boolean readsLockedMemory() {
    return modules.contains(Modules.ZCR);
  }

  /** Adds jars and flags of a role. */
  void apply(Role role, DaemonOptions options) {
    options.prependToClasspath(jars(role));
    options.jvmFlags(jvmFlags(role).toArray(String[]::new));
    if (role == Role.DATANODE && readsLockedMemory()) {
      options.memlock(true);
    }
  }
}
