package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of the configuration, which the doctor takes its words from, and our jars agree. */
class KnownKeysTest {
  private static final KnownKeys KEYS = KnownKeys.load();

  /** A key as a whole, not the beginning of one or a message. */
  private static final Pattern WORD = Pattern.compile("[a-z0-9.-]*[a-z0-9]");

  /** Keys that one of our classes sets for another, and no operator. */
  private static final Set<String> BETWEEN_CLASSES = Set.of("hbase.fastpath.zcr-blocks.unlocked");

  /** One class of each jar. */
  private static final List<String> MODULES =
      List.of(
          "org.fastpath.metrics.region.RegionMetricsObserver",
          "org.fastpath.checksum.ChecksumEngine",
          "org.fastpath.offheap.cache.CacheOptions",
          "org.fastpath.zcr.ZeroCopyFileSystem",
          "org.fastpath.tiered.datanode.TieredDatasetFactory",
          "org.fastpath.regionserver.FastpathRegionServer");

  @Test
  void everyKeyInOurCodeIsOnThePageOrBeginsSome() throws Exception {
    Set<String> unknown = new TreeSet<>();
    for (String module : MODULES) {
      for (String word : words(module)) {
        boolean known = KEYS.allowed(word).isPresent() || KEYS.begins(word);
        if (KnownKeys.isOwn(word) && WORD.matcher(word).matches() && !known) {
          unknown.add(word);
        }
      }
    }
    assertThat(unknown).isSubsetOf(BETWEEN_CLASSES);
  }

  @Test
  void thePageIsRead() {
    assertThat(KEYS.names()).hasSizeGreaterThan(60);
    assertThat(KEYS.allowed("dfs.fastpath.storage-policy.TWO_SSD.id")).isPresent();
    assertThat(KEYS.allowed("hbase.fastpath.tiering.compression.ALL_SSD")).isPresent();
    Allowed size = KEYS.allowed("hbase.fastpath.offheap-cache.size").orElseThrow();
    assertThat(List.of(size.allows("4m"), size.allows("16T"), size.allows("1m"), size.allows("x")))
        .containsExactly(true, true, false, false);
    Allowed flag = KEYS.allowed("hbase.fastpath.offheap-reader.enabled").orElseThrow();
    assertThat(flag.allows("true")).isTrue();
    assertThat(flag.nearest("ture")).contains("true");
  }

  @Test
  void everyClassThatIsLookedForIsInItsJar() throws Exception {
    for (Switch named : Switch.values()) {
      if (named.namesClass()) {
        Class<?> loaded = Class.forName(named.value().orElseThrow(), false, loader());
        Path jar = source(loaded);
        assertThat(jar.toString()).contains(Module.of(loaded.getName()).title());
      }
    }
  }

  @Test
  void everyPatchIsKnown() {
    List<String> patches =
        Arrays.stream(Module.values()).flatMap(module -> module.patches().stream()).toList();
    assertThat(patches)
        .hasSize(3)
        .allSatisfy(name -> assertThat(Class.forName(name, false, loader())).isNotNull());
  }

  @Test
  void aWordIsNearIfFewLettersDiffer() {
    Set<String> known = Set.of("hbase.regionserver.impl", "hbase.hregion.impl");
    assertThat(Spelling.nearest("hbase.regionsrever.impl", known))
        .contains("hbase.regionserver.impl");
    assertThat(Spelling.nearest("hbase.something.else", known)).isEqualTo(Optional.empty());
    assertThat(Spelling.distance("abcd", "acbd")).isEqualTo(1);
    assertThat(Spelling.distance("", "abc")).isEqualTo(3);
  }

  @Test
  void versionsAreOrderedByTheirNumbers() {
    assertThat(Stream.of("0.10.0", "0.2.0", "0.2.0-rc1", "0.9.1").sorted(Versions.ORDER))
        .containsExactly("0.2.0-rc1", "0.2.0", "0.9.1", "0.10.0");
  }

  private static ClassLoader loader() {
    return KnownKeysTest.class.getClassLoader();
  }

  private static Path source(Class<?> loaded) throws URISyntaxException {
    return Path.of(loaded.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Returns all strings in the classes of a module. */
  private static Set<String> words(String className) throws Exception {
    Path source = source(Class.forName(className, false, loader()));
    if (Files.isDirectory(source)) {
      return words(source.resolve("org"));
    }
    URI jar = URI.create("jar:" + source.toUri());
    try (FileSystem files = FileSystems.newFileSystem(jar, java.util.Map.of())) {
      return words(files.getPath("/org"));
    }
  }

  private static Set<String> words(Path root) throws IOException {
    Set<String> words = new TreeSet<>();
    List<Path> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      files.filter(file -> file.toString().endsWith(".class")).forEach(classes::add);
    }
    for (Path file : classes) {
      try (InputStream in = Files.newInputStream(file)) {
        words.addAll(CodeWords.strings(new DataInputStream(new java.io.BufferedInputStream(in))));
      }
    }
    return words;
  }
}
