package org.fastpath.tools.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fastpath.tools.conf.EnvFile;
import org.fastpath.tools.conf.Machine;
import org.fastpath.tools.conf.Site;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class InstallTest {
  private static final long GIB = 1L << 30;
  private static final String HBASE_SITE = "hbase home/conf/hbase-site.xml";
  private static final String HBASE_ENV = "hbase home/conf/hbase-env.sh";
  private static final String HADOOP_ENV = "hadoop home/etc/hadoop/hadoop-env.sh";
  private static final String HDFS_SITE = "hadoop home/etc/hadoop/hdfs-site.xml";
  private static final String MASTERS = "hbase.coprocessor.master.classes";
  private static final String ROLES = "regionserver,master,datanode,namenode,client";

  @TempDir private Path directory;

  private Trees trees;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Machine machine = new Machine(64 * GIB, 8 * GIB);

  @BeforeEach
  void makeTrees() {
    trees = new Trees(directory);
    System.setProperty("fastpath.lib", trees.jars().toString());
  }

  @AfterEach
  void forgetJars() {
    System.clearProperty("fastpath.lib");
  }

  @Test
  void uninstallLeavesEveryByteAsItWas() throws IOException {
    Files.setPosixFilePermissions(
        trees.path(HBASE_SITE), PosixFilePermissions.fromString("rw-r-----"));
    Map<String, String> before = trees.snapshot();
    assertThat(install("--role", ROLES, "--locked-memory", "4g")).isZero();
    assertThat(trees.snapshot()).isNotEqualTo(before);
    assertThat(trees.read(HADOOP_ENV)).startsWith("# nothing\r\n# at all\n");
    assertThat(uninstall()).isZero();
    assertThat(trees.snapshot()).isEqualTo(before);
  }

  /** Between the two changes, a daemon may start: it must find the classes that it names. */
  @Test
  void uninstallChangesSiteFilesFirst() {
    install("--role", ROLES);
    out.getBuffer().setLength(0);
    assertThat(run("uninstall", homes("--dry-run"))).isZero();
    assertThat(out.toString())
        .containsSubsequence("+++ " + trees.path(HBASE_SITE), "+++ " + trees.path(HBASE_ENV))
        .containsSubsequence("+++ " + trees.path(HDFS_SITE), "+++ " + trees.path(HADOOP_ENV));
  }

  @Test
  void filesThatDidNotExistGoAgain() throws IOException {
    for (String file : List.of(HBASE_ENV, HBASE_SITE, HADOOP_ENV)) {
      Files.delete(trees.path(file));
    }
    Map<String, String> before = trees.snapshot();
    assertThat(install("--role", ROLES)).isZero();
    assertThat(trees.path(HBASE_SITE)).exists();
    assertThat(uninstall()).isZero();
    assertThat(trees.snapshot()).isEqualTo(before);
  }

  @Test
  void theSecondInstallationChangesNothing() {
    assertThat(install("--role", ROLES, "--cache-size", "3g")).isZero();
    Map<String, String> first = trees.snapshot();
    assertThat(install("--role", "regionserver")).isZero();
    assertThat(out.toString()).endsWith("Nothing to change.\n");
    assertThat(trees.snapshot()).isEqualTo(first);
  }

  @Test
  void modulesThatWereLeftOutStayOut() {
    assertThat(install("--role", "regionserver", "--modules", "cache,reader")).isZero();
    Map<String, String> first = trees.snapshot();
    assertThat(install("--role", "regionserver")).isZero();
    assertThat(out.toString()).endsWith("Nothing to change.\n").doesNotContain("note:");
    assertThat(trees.snapshot()).isEqualTo(first);
    assertThat(install("--role", "regionserver", "--modules", "metrics,cache")).isZero();
    assertThat(out.toString())
        .contains("note: the modules of regionserver were cache,reader, and become metrics,cache.");
  }

  @Test
  void anotherRoleOfTheSameDirectoryStays() throws IOException {
    install("--role", "regionserver", "--modules", "cache,reader");
    install("--role", "master", "--modules", "tiers");
    Site site = Site.read(trees.path("hbase home/conf"), "hbase-site.xml");
    assertThat(site.value("hbase.regionserver.impl")).isPresent();
    assertThat(site.list("hbase.coprocessor.master.classes")).hasSize(2);
    install("--role", "regionserver", "--modules", "checksum");
    site = Site.read(trees.path("hbase home/conf"), "hbase-site.xml");
    assertThat(site.value("hbase.regionserver.impl")).isEmpty();
    assertThat(trees.path("hbase home/fastpath"))
        .isDirectoryContaining("glob:**hbase-native-checksum-*")
        .isDirectoryNotContaining("glob:**hbase-offheap-read-*");
  }

  @Test
  void classesOfOthersStayInFrontInLists() throws IOException {
    trees.hbaseSite(MASTERS, "org.example.First, org.example.S&#233;cond");
    assertThat(install("--role", "master", "--modules", "tiers")).isZero();
    assertThat(Site.read(trees.path("hbase home/conf"), "hbase-site.xml").list(MASTERS))
        .containsExactly(
            "org.example.First",
            "org.example.S\u00e9cond",
            "org.fastpath.tiered.regionserver.TierRulesChecker",
            "org.fastpath.tiered.regionserver.TierKeeper");
  }

  @Test
  void theListOfOthersStaysAlsoInAFileOfOneLine() throws IOException {
    String controller = "org.apache.hadoop.hbase.security.access.AccessController";
    trees.write(HBASE_SITE, oneLine(MASTERS, controller));
    Map<String, String> before = trees.snapshot();
    assertThat(install("--role", "master", "--modules", "tiers")).isZero();
    Map<String, String> first = trees.snapshot();
    assertThat(install("--role", "master", "--modules", "tiers")).isZero();
    assertThat(trees.snapshot()).isEqualTo(first);
    assertThat(Site.read(trees.path("hbase home/conf"), "hbase-site.xml").list(MASTERS))
        .hasSize(3)
        .startsWith(controller);
    assertThat(uninstall()).isZero();
    assertThat(trees.snapshot()).isEqualTo(before);
  }

  @Test
  void bucketCacheIsRefusedAlsoInAFileOfOneLine() {
    trees.write(HBASE_SITE, oneLine("hbase.rootdir", "hdfs://x/hbase"));
    assertThat(install("--role", "regionserver")).isZero();
    String added = "<property><name>hbase.bucketcache.ioengine</name><value>offheap</value>";
    trees.write(
        HBASE_SITE,
        trees
            .read(HBASE_SITE)
            .replace("<configuration>", "<configuration>" + added + "</property>"));
    refused("regionserver", "hbase.bucketcache.ioengine is offheap (hbase-site.xml:1)");
  }

  @Test
  void textThatWasJoinedToTheEndMarkerSurvivesTheRemoval() {
    String before = trees.read(HBASE_SITE);
    install("--role", "regionserver");
    String joined = trees.read(HBASE_SITE).replace("-->\n</configuration>", "--></configuration>");
    trees.write(HBASE_SITE, joined);
    assertThat(uninstall()).isZero();
    assertThat(trees.read(HBASE_SITE)).isEqualTo(before);
  }

  private static String oneLine(String key, String value) {
    return String.format(Trees.SITE, key, value).replaceAll("\\n *", "");
  }

  @Test
  void someModulesAreNamedToTheClassThatSwitchesThemOn() throws IOException {
    install("--role", "regionserver", "--modules", "cache,tiers");
    Site site = Site.read(trees.path("hbase home/conf"), "hbase-site.xml");
    assertThat(site.list("hbase.fastpath.modules")).containsExactly("cache", "tiers");
    install("--role", "regionserver", "--modules", "all");
    site = Site.read(trees.path("hbase home/conf"), "hbase-site.xml");
    assertThat(site.value("hbase.fastpath.modules")).isEmpty();
    assertThat(site.value("hbase.regionserver.impl"))
        .contains("org.fastpath.regionserver.FastpathRegionServer");
  }

  @Test
  void aRegionClassOfAnotherStaysWithANote() {
    trees.hbaseSite("hbase.hregion.impl", "org.example.Other");
    assertThat(install("--role", "regionserver")).isZero();
    assertThat(out.toString()).contains("note: hbase.hregion.impl stays org.example.Other");
  }

  @Test
  void jarsAreInFrontOfTheClassPathAndBlanksBecomePatterns() throws IOException {
    trees.write(HBASE_ENV, "export HBASE_CLASSPATH_PREFIX=/x/other.jar\n");
    install("--role", "regionserver,datanode", "--modules", "checksum,volumes");
    String prefix = env(HBASE_ENV).value("HBASE_CLASSPATH_PREFIX");
    String jar = trees.path("hbase home/fastpath/hbase-native-checksum-0.2.0.jar").toString();
    assertThat(prefix).isEqualTo(jar + ":/x/other.jar");
    assertThat(env(HADOOP_ENV).value("HADOOP_CLASSPATH"))
        .contains("hadoop?home/fastpath/hbase-native-checksum-0.2.0.jar:")
        .endsWith("hdfs-tiered-volume-0.2.0.jar")
        .doesNotContain(" ");
    assertThat(env(HADOOP_ENV).value("HADOOP_USER_CLASSPATH_FIRST")).isEqualTo("yes");
  }

  @Test
  void theCacheTakesWhatThereIs() throws IOException {
    install("--role", "regionserver", "--modules", "cache");
    Site site = Site.read(trees.path("hbase home/conf"), "hbase-site.xml");
    assertThat(site.value("hbase.fastpath.offheap-cache.size")).contains("16g");
    assertThat(env(HBASE_ENV).value("HBASE_OFFHEAPSIZE")).isEqualTo("18023m");
  }

  @Test
  void aLimitThatIsSetDecidesTheCache() throws IOException {
    trees.write(HBASE_ENV, "export HBASE_OFFHEAPSIZE=20g\n");
    install("--role", "regionserver", "--modules", "cache");
    Site site = Site.read(trees.path("hbase home/conf"), "hbase-site.xml");
    assertThat(site.value("hbase.fastpath.offheap-cache.size")).isEmpty();
    assertThat(env(HBASE_ENV).value("HBASE_OFFHEAPSIZE")).isEqualTo("20g");
  }

  @Test
  void aDryRunShowsADiffAndChangesNothing() {
    Map<String, String> before = trees.snapshot();
    assertThat(run("install", homes("--role", ROLES, "--dry-run"))).isZero();
    assertThat(out.toString())
        .contains("+++ " + trees.path(HBASE_SITE))
        .contains("+    <name>hbase.regionserver.impl</name>")
        .contains("copy   ");
    assertThat(trees.snapshot()).isEqualTo(before);
  }

  @Test
  void withoutAYesNothingIsChanged() {
    Map<String, String> before = trees.snapshot();
    InputStream input = System.in;
    try {
      for (String answer : List.of("", "no\n", "n\n")) {
        System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
        assertThat(run("install", homes("--role", ROLES))).isEqualTo(Confirmation.REFUSED);
        assertThat(trees.snapshot()).isEqualTo(before);
      }
      System.setIn(new ByteArrayInputStream("yes\n".getBytes(StandardCharsets.UTF_8)));
      assertThat(run("install", homes("--role", ROLES))).isZero();
      assertThat(trees.snapshot()).isNotEqualTo(before);
    } finally {
      System.setIn(input);
    }
  }

  @Test
  void linksStayLinks() throws IOException {
    Path real = trees.path("elsewhere/hbase-site.xml");
    Files.createDirectories(real.getParent());
    Files.move(trees.path(HBASE_SITE), real);
    Files.createSymbolicLink(trees.path(HBASE_SITE), real);
    assertThat(install("--role", "regionserver")).isZero();
    assertThat(trees.path(HBASE_SITE)).isSymbolicLink();
    assertThat(Files.readString(real)).contains("FastpathRegionServer");
  }

  @Test
  void changesOfOthersSurviveTheRemoval() {
    install("--role", "regionserver");
    String env = trees.read(HBASE_ENV);
    trees.write(HBASE_ENV, "# first\n" + env + "# last\n");
    assertThat(uninstall()).isZero();
    assertThat(trees.read(HBASE_ENV)).isEqualTo("# first\nexport HBASE_HEAPSIZE=1g\n# last\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase.regionserver.impl",
        "hbase.hstore.engine.class",
        "fs.hdfs.impl",
      })
  void aKeyOfOneClassOfAnotherIsRefused(String key) {
    trees.hbaseSite(key, "org.example.Other");
    refused("regionserver", key + " is org.example.Other (hbase-site.xml:5)", "one class only");
  }

  @Test
  void aDatasetOfAnotherIsRefused() {
    String key = "dfs.datanode.fsdataset.factory";
    trees.hdfsSite(key, "org.example.Other");
    refused("datanode", key + " is org.example.Other (hdfs-site.xml:5)", "leave out volumes");
  }

  @Test
  void aFinalListIsRefused() {
    trees.hbaseSite(MASTERS, "org.example.First</value><final>true</final><value>x");
    refused("master", MASTERS + " is final (hbase-site.xml:5)", "leave out tiers");
  }

  @Test
  void bucketCacheIsRefused() {
    trees.hbaseSite("hbase.bucketcache.ioengine", "offheap");
    refused("regionserver", "hbase.bucketcache.ioengine is offheap (hbase-site.xml:5)");
  }

  @Test
  void anUnknownVersionIsRefused() throws IOException {
    Path lib = trees.path("hbase home/lib");
    Files.move(
        lib.resolve("hbase-server-2.6.4-hadoop3.jar"), lib.resolve("hbase-server-9.0.0.jar"));
    refused("regionserver", "HBase 9.0.0", "is not known: verified are 2.6.4-hadoop3");
  }

  @Test
  void theVersionsAreThoseInTheRecordOfTheJars() throws IOException {
    Path lib = trees.path("hbase home/lib");
    Path jar = lib.resolve("hbase-server-2.6.5-hadoop3.jar");
    Files.move(lib.resolve("hbase-server-2.6.4-hadoop3.jar"), jar);
    assertThat(install("--role", "master")).isZero();
    Files.move(jar, lib.resolve("hbase-server-2.6.1-hadoop3.jar"));
    refused("master", "HBase 2.6.1-hadoop3", "verified are 2.6.4-hadoop3, 2.6.5.");
  }

  /** Packages of distributions have links without a version. */
  @Test
  void theVersionIsThatOfTheFileBehindALink() throws IOException {
    Path lib = trees.path("hbase home/lib");
    Path jar = lib.resolve("hbase-server-2.6.4-hadoop3.jar");
    Path elsewhere = Files.createDirectories(trees.path("elsewhere"));
    Path real = elsewhere.resolve(jar.getFileName());
    Files.move(jar, real);
    Path link = Files.createSymbolicLink(lib.resolve("hbase-server.jar"), real);
    assertThat(install("--role", "master")).isZero();
    Files.delete(link);
    Files.move(real, link);
    refused("master", "The name of " + link + " does not tell the version of HBase");
  }

  @Test
  void linkedDirectoriesOfJarsAndConfigurationElsewhereWork() throws IOException {
    Path lib = trees.path("usr lib");
    Files.move(trees.path("hbase home/lib"), lib);
    Files.createSymbolicLink(trees.path("hbase home/lib"), lib);
    Path conf = trees.path("etc hbase");
    Files.move(trees.path("hbase home/conf"), conf);
    Map<String, String> before = trees.snapshot();
    List<String> args = new ArrayList<>(homes("--hbase-conf", conf + "", "--yes"));
    List<String> roles = new ArrayList<>(args);
    roles.addAll(List.of("--role", ROLES));
    assertThat(run("install", roles)).as(err.toString()).isZero();
    assertThat(Files.readString(conf.resolve("hbase-site.xml"))).contains("FastpathRegionServer");
    assertThat(run("uninstall", args)).isZero();
    assertThat(trees.snapshot()).isEqualTo(before);
  }

  /** HBase's guide asks for such a link. The lines of the DataNode must not go with HBase's. */
  @Test
  void aSiteFileThatBothProductsShareKeepsTheLinesOfHadoopsRoles() throws IOException {
    Files.createSymbolicLink(
        trees.path("hbase home/conf/hdfs-site.xml"),
        trees.path("hadoop home/etc/hadoop/hdfs-site.xml"));
    Map<String, String> before = trees.snapshot();
    assertThat(install("--role", ROLES)).isZero();
    Map<String, String> first = trees.snapshot();
    assertThat(trees.read(HDFS_SITE)).contains("TieredDatasetFactory");
    assertThat(install("--role", ROLES)).isZero();
    assertThat(trees.snapshot()).isEqualTo(first);
    assertThat(run("uninstall", List.of("--hbase", trees.hbase() + "", "--yes"))).isZero();
    assertThat(trees.read(HDFS_SITE)).contains("TieredDatasetFactory");
    assertThat(uninstall()).isZero();
    assertThat(trees.snapshot()).isEqualTo(before);
  }

  /** A value in hdfs-site.xml has no effect, because hbase-default.xml hides it. */
  @Test
  void shortCircuitKeysGoToTheFileThatHBaseSees() throws IOException {
    String both =
        "/s</value></property><property><name>" + Catalog.SHORT_CIRCUIT + "</name><value>";
    trees.write(
        "hbase home/conf/hdfs-site.xml",
        String.format(Trees.SITE, Catalog.DOMAIN_SOCKET, both + "false"));
    assertThat(
            run(
                "install",
                List.of("--hbase", trees.hbase() + "", "--role", "regionserver", "--yes")))
        .as(err.toString())
        .isZero();
    Site site = Site.read(trees.path("hbase home/conf"), "hbase-site.xml");
    assertThat(site.value(Catalog.SHORT_CIRCUIT)).contains("true");
    assertThat(site.value(Catalog.DOMAIN_SOCKET)).contains("/s");
  }

  @Test
  void anOlderJavaIsRefused() {
    for (String version : List.of("1.8.0_402", "11.0.22")) {
      trees.write("jdk/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
      trees.write(HBASE_ENV, "export JAVA_HOME=" + trees.path("jdk") + "\n");
      refused("regionserver", "(hbase-env.sh:1), which is Java ", "our classes need Java 17");
    }
    trees.write("jdk/release", "JAVA_VERSION=\"17.0.2\"\n");
    assertThat(install("--role", "regionserver")).isZero();
  }

  @Test
  void ownersOfFilesStay() throws IOException {
    UserPrincipalLookupService users = FileSystems.getDefault().getUserPrincipalLookupService();
    assumeTrue("root".equals(System.getProperty("user.name")), "only root may give files away");
    Path site = trees.path(HBASE_SITE);
    Files.setOwner(site, users.lookupPrincipalByName("daemon"));
    assertThat(install("--role", "regionserver")).isZero();
    assertThat(Files.getOwner(site).getName()).isEqualTo("daemon");
    assertThat(uninstall()).isZero();
    assertThat(Files.getOwner(site).getName()).isEqualTo("daemon");
  }

  @Test
  void aFileOfAnotherUserIsRefused() {
    String user = System.getProperty("user.name");
    System.setProperty("user.name", "nobody-of-this-machine");
    try {
      refused("regionserver", trees.path(HBASE_SITE) + " belongs to " + user, "or as root");
    } finally {
      System.setProperty("user.name", user);
    }
  }

  @Test
  void anInterruptedRunLeavesNothingBehind() throws IOException {
    Map<String, String> before = trees.snapshot();
    trees.write(HBASE_SITE + ".fastpath-tmp", "half a fi");
    trees.write("hbase home/fastpath/hbase-offheap-read-0.2.0.jar.fastpath-tmp", "half a jar");
    trees.write("hbase home/fastpath/hbase-native-checksum-0.2.0.jar", "a jar");
    assertThat(uninstall()).isZero();
    assertThat(trees.snapshot()).isEqualTo(before);
  }

  @Test
  void tooLittleDirectMemoryIsRefused() {
    trees.write(HBASE_ENV, "export HBASE_OFFHEAPSIZE=4096\n");
    refused(
        "regionserver",
        List.of("--cache-size", "8g"),
        "HBASE_OFFHEAPSIZE is 4g (hbase-env.sh:1), too little for a cache of 8g",
        "set it to 9216m or more");
    trees.write(HBASE_ENV, "export HBASE_OPTS=\"$HBASE_OPTS -XX:MaxDirectMemorySize=2g\"\n");
    refused("regionserver", List.of("--cache-size", "2g"), "-XX:MaxDirectMemorySize in HBASE_OPTS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export HBASE_REGIONSERVER_OPTS=\"-Xmx31g \\\n -XX:MaxDirectMemorySize=4g\"",
        "HBASE_OPTS+=\" -XX:MaxDirectMemorySize=4g\"",
        "export HBASE_OPTS=\"-XX:MaxDirectMemorySize=40g -XX:MaxDirectMemorySize=4g\"",
        ": \"${HBASE_OFFHEAPSIZE:=4g}\"",
        "[ -z \"$X\" ] && export HBASE_OFFHEAPSIZE=4g",
        "if [ -z \"$X\" ]; then export HBASE_OFFHEAPSIZE=4g; fi"
      })
  void aLimitOfAnyFormIsSeen(String line) {
    trees.write(HBASE_ENV, line + "\n");
    refused("regionserver", List.of("--cache-size", "8g"), "(hbase-env.sh:1), too little");
    assertThat(install("--role", "regionserver", "--cache-size", "2g")).isZero();
    assertThat(trees.read(HBASE_ENV).substring(line.length())).doesNotContain("OFFHEAPSIZE");
  }

  @Test
  void aLimitThatIsNotUnderstoodIsRefused() {
    for (String name : List.of("HBASE_OFFHEAPSIZE", "MaxDirectMemorySize")) {
      trees.write(HBASE_ENV, "# " + name + "\neval 'export X=\"" + name + "=4g\"'\n");
      refused("regionserver", "hbase-env.sh:2 names " + name, "not understood");
      assertThat(install("--role", "regionserver", "--modules", "metrics")).isZero();
      assertThat(uninstall()).isZero();
    }
  }

  @Test
  void moreThanTheMachineHasIsRefused() {
    refused(
        "regionserver",
        List.of("--cache-size", "64g"),
        "A cache of 64g and a heap of 1g do not fit into the 65536 MiB");
  }

  @Test
  void moreThanMayBeLockedIsRefused() {
    refused(
        "datanode",
        List.of("--locked-memory", "9g"),
        "--locked-memory is 9g, but this user may lock 8g (ulimit -l)");
  }

  @Test
  void readOnlyFilesAreRefused() throws IOException {
    Files.setPosixFilePermissions(
        trees.path(HBASE_SITE), PosixFilePermissions.fromString("r--r--r--"));
    refused("regionserver", trees.path(HBASE_SITE) + " is read-only");
  }

  @Test
  void aSocketIsAskedFor() {
    trees.hdfsSite("dfs.replication", "3");
    refused("datanode", "give --domain-socket PATH");
    refused("regionserver", "give --domain-socket PATH");
    refused("datanode", List.of("--domain-socket", "/nowhere/at/all/s"), "is no directory");
  }

  @Test
  void shortCircuitReadsThatAreOffAreRefused() {
    trees.hbaseSite("dfs.client.read.shortcircuit", "false");
    refused("regionserver", "dfs.client.read.shortcircuit is false", "leave out zcr");
  }

  @Test
  void aMissingNativeLibraryIsRefused() throws IOException {
    Files.delete(trees.path("hadoop home/lib/native/libhadoop.so"));
    refused("datanode", "zcr needs libhadoop.so");
  }

  @Test
  void jarsThatAreThereAlreadyAreRefused() {
    trees.write(HBASE_ENV, "export HBASE_CLASSPATH=/opt/hbase-offheap-read.jar\n");
    refused("regionserver", "HBASE_CLASSPATH names a jar of hbase-fastpath already");
    trees.jar("hadoop home/share/hadoop/hdfs/lib/hdfs-tiered-volume-0.1.0.jar");
    refused("datanode", "hdfs-tiered-volume-0.1.0.jar is there already");
  }

  @Test
  void brokenFilesAreRefused() {
    trees.write(HBASE_SITE, "<configuration/>");
    refused("regionserver", "hbase-site.xml stays as it is: there is no </configuration>");
    trees.write(HBASE_SITE, "<configuration>");
    refused("regionserver", "hbase-site.xml is no XML file");
  }

  @Test
  void aHomeThatIsMissingIsAUsageError() {
    assertThat(run("install", List.of("--role", "datanode"))).isEqualTo(2);
    assertThat(err.toString()).contains("--role datanode needs --hadoop DIR");
    assertThat(run("install", homes("--role", "master", "--modules", "cash"))).isEqualTo(2);
    assertThat(err.toString()).contains("there is no module 'cash'");
  }

  private void refused(String role, String... parts) {
    refused(role, List.of(), parts);
  }

  private void refused(String role, List<String> options, String... parts) {
    Map<String, String> before = trees.snapshot();
    err.getBuffer().setLength(0);
    List<String> args = new ArrayList<>(List.of("--role", role));
    args.addAll(options);
    assertThat(install(args.toArray(String[]::new))).isNotZero();
    assertThat(err.toString()).contains(parts).doesNotContain("Exception");
    assertThat(trees.snapshot()).isEqualTo(before);
  }

  private EnvFile env(String name) throws IOException {
    return EnvFile.read(trees.path(name), Map.of());
  }

  private int install(String... args) {
    List<String> all = new ArrayList<>(homes(args));
    all.add("--yes");
    return run("install", all);
  }

  private int uninstall() {
    return run("uninstall", homes("--yes"));
  }

  private List<String> homes(String... args) {
    List<String> all = new ArrayList<>(List.of("--hbase", trees.hbase().toString()));
    all.addAll(List.of("--hadoop", trees.hadoop().toString()));
    all.addAll(List.of(args));
    return all;
  }

  private int run(String command, List<String> args) {
    Object parsed =
        command.equals("install") ? new InstallCommand(machine) : new UninstallCommand();
    return new CommandLine(parsed)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args.toArray(String[]::new));
  }
}
