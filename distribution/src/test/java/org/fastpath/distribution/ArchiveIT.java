package org.fastpath.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveIT {
  private static final Pattern CLASS_NAME =
      Pattern.compile("`((?:org\\.apache\\.hadoop\\.[\\w.]+\\.)?[A-Z]\\w+)`");

  private static final String SBOM = "sbom.json";

  @TempDir private static Path directory;

  private static Archive archive;

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    archive = Archive.unpackedIn(directory.resolve("a directory"));
  }

  @Test
  void itHoldsWhatAnOperatorNeeds() throws IOException {
    try (Stream<Path> files = Files.list(archive.home())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> !name.equals(SBOM))
          .containsExactlyInAnyOrder(
              "bin",
              "conf",
              "docs",
              "lib",
              "CHANGELOG.md",
              "CONTRIBUTING.md",
              "LICENSE",
              "NOTICE",
              "README.md",
              "SHA512SUMS");
    }
    assertThat(archive.jars().stream().map(jar -> jar.getFileName().toString()))
        .allMatch(name -> name.matches("[a-z0-9-]+-\\d+\\.\\d+\\.\\d+\\.jar"))
        .hasSize(7);
    assertThat(archive.home().resolve("docs/operate/install.md")).exists();
  }

  @Test
  void theSumsOfTheJarsAreRight() throws IOException, InterruptedException {
    List<String> check = List.of("sha512sum", "-c", "SHA512SUMS");
    Commands.Run run = Commands.run(archive.home(), Map.of(), check);
    assertThat(run.exit()).as(run.printed()).isZero();
    assertThat(run.printed().lines()).hasSize(archive.jars().size());
  }

  @Test
  void bothFormatsHoldTheSame() throws IOException, InterruptedException {
    String zip = System.getProperty("archive.zip");
    Path unpacked = directory.resolve("zip");
    List<String> unzip = List.of("unzip", "-q", zip, "-d", unpacked.toString());
    assertThat(Commands.run(directory, Map.of(), unzip).exit()).isZero();
    Path home = unpacked.resolve(archive.home().getFileName());
    List<String> diff = List.of("diff", "-r", home.toString(), archive.home().toString());
    assertThat(Commands.run(directory, Map.of(), diff)).isEqualTo(new Commands.Run(0, ""));
    assertThat(home.resolve("bin/fastpath")).isExecutable();
  }

  /** Patches and classes in packages of upstream are those that a page declares. */
  @Test
  void itHoldsNoClassOfAnotherProject() throws IOException {
    Set<String> declared = declared();
    Set<String> others = new TreeSet<>();
    for (Path jar : archive.jars()) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        zip.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.endsWith(".class") && !name.startsWith("org/fastpath/"))
            .filter(name -> !declared.contains(simpleName(name)))
            .forEach(name -> others.add(jar.getFileName() + ": " + name));
      }
    }
    assertThat(others).isEmpty();
  }

  private static Set<String> declared() throws IOException {
    return CLASS_NAME
        .matcher(Files.readString(archive.home().resolve("docs/design/patches.md")))
        .results()
        .map((MatchResult match) -> match.group(1))
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .collect(Collectors.toSet());
  }

  /** Returns the outermost class of an entry. */
  private static String simpleName(String entry) {
    String name = entry.substring(entry.lastIndexOf('/') + 1, entry.length() - ".class".length());
    return name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
  }

  @Test
  void theBillOfMaterialsNamesTheJarsAndTheLibraryInThem() throws IOException {
    Path file = archive.home().resolve(SBOM);
    assumeTrue(Files.exists(file), "Maven skips the bill of materials when it is offline");
    String sbom = Files.readString(file);
    assertThat(sbom)
        .contains("\"bomFormat\" : \"CycloneDX\"", "picocli", "hbase-offheap-read")
        .doesNotContain("serialNumber", "hbase-server", "hadoop-common");
  }

  /** An operator's cluster is not ours: nothing of the machine that built it is inside. */
  @Test
  void textsNameNoPlaceOfTheBuild() throws IOException {
    String tree = System.getProperty("source.tree");
    for (String name : List.of(SBOM, "SHA512SUMS", "bin/fastpath")) {
      Path file = archive.home().resolve(name);
      if (Files.exists(file)) {
        assertThat(file).content().doesNotContain(tree);
      }
    }
  }

  @Test
  void eachFragmentIsASiteFileWithDocumentedKeys() throws IOException {
    String documented = Files.readString(archive.home().resolve("docs/operate/configuration.md"));
    try (Stream<Path> files = Files.list(archive.home().resolve("conf"))) {
      List<Path> fragments = files.toList();
      assertThat(fragments).hasSize(8);
      for (Path fragment : fragments) {
        for (String key : keys(fragment)) {
          assertThat(documented).as(fragment.toString()).contains("`" + key + "`");
        }
      }
    }
  }

  private static List<String> keys(Path fragment) throws IOException {
    List<String> keys = new ArrayList<>();
    Pattern.compile("<name>(.*)</name>")
        .matcher(Files.readString(fragment))
        .results()
        .forEach(match -> keys.add(match.group(1)));
    return keys;
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "bench", "workload", "cluster", "metrics-page", "hit-ratio"})
  void commandsOfTheSourceTreeSayThatTheyNeedIt(String command)
      throws IOException, InterruptedException {
    Commands.Run run = archive.fastpath(Map.of(), List.of(command));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.printed())
        .isEqualTo(
            "fastpath: " + command + " needs the source tree: this is the release archive\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"install", "uninstall"})
  void commandsOnFilesRunWithoutHBase(String command) throws IOException, InterruptedException {
    Commands.Run run = archive.fastpath(Map.of(), List.of(command, "--help"));
    assertThat(run.exit()).as(run.printed()).isZero();
    assertThat(run.printed()).startsWith("Usage: fastpath " + command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"doctor", "cache", "volumes", "move", "tiers"})
  void clientsSayWhoseJarsTheyNeed(String command) throws IOException, InterruptedException {
    Commands.Run run = archive.fastpath(Map.of(), List.of(command));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.printed())
        .isEqualTo(
            "fastpath: "
                + command
                + " needs the jars of HBase or Hadoop: set HBASE_HOME and HADOOP_HOME, or put hbase"
                + " on the PATH\n");
  }
}
