package org.fastpath.tools.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.fastpath.tools.conf.ConfException;
import org.fastpath.tools.conf.EnvFile;
import org.fastpath.tools.conf.Home;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.conf.Site;

/** Plans the files of one installation. Writes nothing. */
final class HomePlanner {
  /** The name of the directory for our jars. */
  static final String JAR_DIRECTORY = "fastpath";

  private static final String CORE_SITE = "core-site.xml";
  private static final String HDFS_SITE = "hdfs-site.xml";
  private static final String HBASE_SITE = "hbase-site.xml";

  private final Home home;
  private final Optional<Home> hadoop;
  private final Memory memory;
  private final Refusals refusals;
  private final Plan plan;
  private final EnvFile env;
  private final Site site;

  /**
   * @param hadoop the Hadoop of the same machine, for its socket and libhadoop.so
   */
  HomePlanner(Home home, Optional<Home> hadoop, Memory memory, Refusals refusals, Plan plan) {
    this.home = home;
    this.hadoop = hadoop;
    this.memory = memory;
    this.refusals = refusals;
    this.plan = plan;
    env = Outside.env(home);
    site = Outside.site(home, readBy(home.product()));
  }

  /** Returns the site files that daemons of a product read, in the order in which they do. */
  static List<String> readBy(Home.Product product) {
    return product == Home.Product.HBASE
        ? List.of(CORE_SITE, HDFS_SITE, HBASE_SITE)
        : List.of(CORE_SITE, HDFS_SITE);
  }

  /**
   * Returns the site files for our lines. In HBase's directory the other site files are often links
   * to Hadoop's, whose lines belong to Hadoop's roles.
   */
  static List<String> writtenBy(Home.Product product) {
    return product == Home.Product.HBASE ? List.of(HBASE_SITE) : List.of(CORE_SITE, HDFS_SITE);
  }

  /** Returns the directory for our jars. */
  static Path jarDirectory(Home home) {
    return home.directory().resolve(JAR_DIRECTORY);
  }

  void plan(Collection<RoleSetup> requested, JarSource source) {
    Map<Role, RoleSetup> setups = earlier();
    for (RoleSetup setup : requested) {
      RoleSetup known = setups.get(setup.role());
      RoleSetup merged = known == null ? setup.orAllModules() : setup.orElse(known);
      setups.put(setup.role(), merged);
      if (known != null && !merged.modules().equals(known.modules())) {
        plan.note(
            String.format(
                "the modules of %s were %s, and become %s.",
                setup.role().label(),
                Module.labels(known.modules()),
                Module.labels(merged.modules())));
      }
    }
    setups.replaceAll((role, setup) -> completed(setup));
    requireNoOtherJars();
    requireJava();
    Set<String> artifacts = new LinkedHashSet<>();
    setups.values().forEach(setup -> artifacts.addAll(Catalog.artifacts(setup)));
    List<Path> jars = copies(artifacts, source);
    planEnv(setups.values(), jars);
    planSites(setups.values());
  }

  private Map<Role, RoleSetup> earlier() {
    Map<Role, RoleSetup> setups = new EnumMap<>(Role.class);
    String text = FileChange.text(home.envFile());
    if (text != null) {
      Optional<String> body = Outside.about(home.envFile(), () -> Outside.SHELL.body(text));
      body.map(RoleSetup::parse).orElse(List.of()).forEach(s -> setups.put(s.role(), s));
    }
    return setups;
  }

  /** Adds defaults to a setup, and rejects impossible ones. */
  private RoleSetup completed(RoleSetup setup) {
    RoleSetup done = setup;
    if (setup.hasCache()) {
      requireNoOtherCache();
      done = memory.sized(done, site, env);
    }
    boolean reads = setup.role() == Role.REGIONSERVER || setup.role() == Role.DATANODE;
    if (reads && setup.has(Module.ZCR)) {
      done = withSocket(done);
    }
    if (setup.role() == Role.DATANODE && setup.has(Module.ZCR)) {
      memory.requireLockable(done);
      requireLibhadoop();
      requireSocketDirectory(done);
    }
    return done;
  }

  private void requireNoOtherCache() {
    site.property("hbase.bucketcache.ioengine")
        .filter(property -> !property.value().isEmpty())
        .ifPresent(
            property ->
                refusals.add(
                    String.format(
                        "hbase.bucketcache.ioengine is %s (%s), and a RegionServer has one"
                            + " second-level cache: remove HBase's, or leave out cache.",
                        property.value(), property.place())));
    refusals.addIf(
        site.value("hbase.blockcache.use.external", "false").equals("true"),
        "hbase.blockcache.use.external is true, and a RegionServer has one second-level cache:"
            + " remove it, or leave out cache.");
    refusals.addIf(
        site.value("hfile.block.cache.size", "0.4").matches("0+(\\.0*)?"),
        "hfile.block.cache.size is 0, which switches off the first-level cache that ours stands"
            + " behind: set it to 0.1 or more, or leave out cache.");
  }

  /**
   * Adds the socket of short-circuit reads. It comes from the configuration here, from a file here
   * that HBase does not see, or from the DataNode's Hadoop.
   */
  private RoleSetup withSocket(RoleSetup setup) {
    if (setup.domainSocket().isPresent() || site.value(Catalog.DOMAIN_SOCKET).isPresent()) {
      return setup;
    }
    Optional<String> socket = socket(home).or(() -> hadoop.flatMap(HomePlanner::socket));
    refusals.addIf(
        socket.isEmpty(),
        String.format(
            "zcr reads by short-circuit, and no file in %s sets %s: give --domain-socket PATH, such"
                + " as /var/lib/hadoop-hdfs/dn_socket, or leave out zcr.",
            home.conf(), Catalog.DOMAIN_SOCKET));
    return setup.withDomainSocket(socket);
  }

  private static Optional<String> socket(Home home) {
    return Outside.whole(home, readBy(home.product())).value(Catalog.DOMAIN_SOCKET);
  }

  /**
   * Requires libhadoop.so. With a socket's path and without libhadoop.so, a DataNode does not
   * start.
   */
  private void requireLibhadoop() {
    List<String> places = new ArrayList<>(List.of(home.directory().resolve("lib/native") + ""));
    places.addAll(List.of(env.value("JAVA_LIBRARY_PATH").split(":")));
    boolean found =
        places.stream()
            .filter(place -> !place.isEmpty())
            .anyMatch(place -> Files.exists(Path.of(place, "libhadoop.so")));
    refusals.addIf(
        !found,
        "zcr needs libhadoop.so, and there is none in "
            + places.get(0)
            + ": put it there, or leave out zcr.");
  }

  private void requireSocketDirectory(RoleSetup setup) {
    Optional<String> path = setup.domainSocket().or(() -> site.value(Catalog.DOMAIN_SOCKET));
    path.map(socket -> Path.of(socket).getParent())
        .filter(directory -> !Files.isDirectory(directory))
        .ifPresent(
            directory ->
                refusals.add(
                    String.format(
                        "%s is %s, and %s is no directory, so a DataNode would not start: make it"
                            + " for the DataNode's user.",
                        Catalog.DOMAIN_SOCKET, path.get(), directory)));
  }

  private void requireNoOtherJars() {
    for (String name : List.of("HBASE_CLASSPATH_PREFIX", "HBASE_CLASSPATH", "HADOOP_CLASSPATH")) {
      env.variable(name)
          .ifPresent(
              variable ->
                  refusals.addIf(
                      namesOurs(variable.value()),
                      String.format(
                          "%s names a jar of hbase-fastpath already (%s): take it out there.",
                          name, variable.place())));
    }
    for (Path lib : home.libraries()) {
      for (String artifact : Catalog.ARTIFACTS) {
        Home.jar(lib, artifact)
            .ifPresent(jar -> refusals.add(jar + " is there already: take it away."));
      }
    }
  }

  /**
   * Checks the Java version. With an older one, daemons do not start, because it cannot load our
   * classes.
   */
  private void requireJava() {
    Path release = Path.of(env.value("JAVA_HOME"), "release");
    OptionalInt version = JavaRelease.version(release);
    refusals.addIf(
        version.isPresent() && version.getAsInt() < JavaRelease.NEEDED,
        String.format(
            "JAVA_HOME is %s (%s), which is Java %d, and our classes need Java %d: set it to a"
                + " newer one.",
            env.value("JAVA_HOME"),
            env.variable("JAVA_HOME").map(EnvFile.Variable::place).orElse("environment"),
            version.orElse(0),
            JavaRelease.NEEDED));
  }

  private static boolean namesOurs(String classPath) {
    return Catalog.ARTIFACTS.stream().anyMatch(classPath::contains);
  }

  /** Plans copies of jars and the removal of unneeded ones. */
  private List<Path> copies(Set<String> artifacts, JarSource source) {
    Path directory = jarDirectory(home);
    refusals.addIf(
        directory.toString().matches("(?s).*[:\n?*\\[].*"),
        directory + " has a character that a class path cannot hold.");
    List<Path> jars = new ArrayList<>();
    for (Path from : source.jars(artifacts)) {
      Path to = directory.resolve(from.getFileName());
      jars.add(to);
      if (!equal(from, to)) {
        plan.copy(from, to);
      }
    }
    ownJars(home).stream().filter(jar -> !jars.contains(jar)).forEach(plan::remove);
    return jars;
  }

  private static boolean equal(Path from, Path to) {
    try {
      return Files.exists(to) && Files.mismatch(from, to) < 0;
    } catch (IOException e) {
      throw new ConfException(to + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the jars of an earlier installation. */
  static List<Path> ownJars(Home home) {
    Path directory = jarDirectory(home);
    List<Path> jars = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      Catalog.ARTIFACTS.forEach(artifact -> jars.addAll(Home.jars(directory, artifact)));
    }
    return jars;
  }

  private void planEnv(Collection<RoleSetup> setups, List<Path> jars) {
    EnvBlock block = new EnvBlock(setups);
    block.jars(home.product(), jars);
    for (RoleSetup setup : setups) {
      if (setup.hasCache()) {
        OptionalLong direct = memory.directBytes(setup, site, env);
        block.directMemory(direct);
      }
      if (setup.role() == Role.REGIONSERVER && setup.has(Module.ZCR)) {
        nativeLibraries().ifPresent(block::nativeLibraries);
      }
    }
    if (home.product() == Home.Product.HADOOP && env.variable("HADOOP_CLASSPATH").isPresent()) {
      plan.note("HADOOP_USER_CLASSPATH_FIRST puts all of HADOOP_CLASSPATH in front of Hadoop.");
    }
    String text = FileChange.text(home.envFile());
    String after = Outside.about(home.envFile(), () -> Outside.SHELL.with(text, block.body()));
    plan.change(new FileChange(home.envFile(), text, after));
  }

  private Optional<Path> nativeLibraries() {
    return hadoop
        .map(h -> h.directory().resolve("lib/native"))
        .filter(directory -> Files.exists(directory.resolve("libhadoop.so")))
        .filter(directory -> env.variable("HBASE_LIBRARY_PATH").isEmpty());
  }

  private void planSites(Collection<RoleSetup> setups) {
    site.value("hbase.hregion.impl")
        .filter(region -> !Catalog.isOurs(region) && home.product() == Home.Product.HBASE)
        .ifPresent(
            region ->
                plan.note(
                    "hbase.hregion.impl stays "
                        + region
                        + ": a coprocessor times requests instead, and scans are not lean."));
    Map<String, List<Setting>> byFile = new LinkedHashMap<>();
    for (RoleSetup setup : setups) {
      if (setup.role() != Role.CLIENT || home.product() == Home.Product.HADOOP) {
        Catalog.settings(setup)
            .forEach(
                (file, more) ->
                    byFile.computeIfAbsent(file, name -> new ArrayList<>()).addAll(more));
      }
    }
    for (String name : writtenBy(home.product())) {
      List<Setting> settings = byFile.getOrDefault(name, List.of());
      Path file = home.site(name);
      String text = FileChange.text(file);
      Optional<String> body = new SiteBlock(site, refusals, settings).body();
      plan.change(new FileChange(file, text, withBlock(file, text, body)));
    }
  }

  private static String withBlock(Path file, String text, Optional<String> body) {
    return Outside.about(
        file,
        () ->
            body.isPresent()
                ? Outside.XML.with(text, body.get())
                : text == null ? null : Outside.XML.without(text));
  }
}
