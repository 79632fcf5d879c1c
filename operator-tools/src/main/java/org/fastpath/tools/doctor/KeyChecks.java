package org.fastpath.tools.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.fastpath.tools.conf.ConfException;
import org.fastpath.tools.conf.MarkedBlock;
import org.fastpath.tools.conf.SiteProperty;

/** Checks single keys: their spelling, their values and their files. */
final class KeyChecks {
  private static final int MISTAKES_IN_STOCK_KEYS = 2;

  /**
   * The maximum number of mistakes in a key without one of our prefixes that still counts as ours.
   */
  private static final int MISTAKES_IN_PREFIXES = 3;

  private static final String DATANODE_ONLY = "dfs.datanode.";
  private static final String POLICY = "dfs.fastpath.storage-polic";

  /** Both policies for choosing volumes read this key. */
  private static final String ROOM = ".additional-available-space";

  private static final Set<String> DATASET_KEYS =
      Set.of(
          "dfs.fastpath.pool-lock.patience-millis",
          "dfs.fastpath.write-behind.types",
          "dfs.fastpath.drop-behind.types");

  private static final List<String> MODULES =
      List.of("all", "checksum", "metrics", "cache", "reader", "zcr", "volumes", "tiers");

  private KeyChecks() {}

  static List<Check> all() {
    return List.of(
        KeyChecks::spelling,
        KeyChecks::values,
        Check.hbase(KeyChecks::modules),
        Check.each(KeyChecks::twice),
        Check.each(KeyChecks::place),
        Check.each(KeyChecks::withoutFeature));
  }

  private static void spelling(Evidence evidence, Consumer<Problem> problems) {
    for (ConfDirectory directory : evidence.directories()) {
      for (SiteProperty property : directory.site().effective()) {
        spelling(evidence.vocabulary(), property, problems);
      }
    }
  }

  private static void spelling(
      Vocabulary words, SiteProperty property, Consumer<Problem> problems) {
    String key = property.name();
    if (words.own().allowed(key).isPresent() || words.stock().contains(key)) {
      return;
    }
    Optional<String> own =
        KnownKeys.isOwn(key)
            ? Spelling.nearest(key, words.own().names())
            : Spelling.within(key, words.own().names(), MISTAKES_IN_PREFIXES);
    if (KnownKeys.isOwn(key) || own.isPresent()) {
      problems.accept(own.map(k -> misspelt(property, k)).orElseGet(() -> unknown(property)));
    } else {
      stockSpelling(words, property).ifPresent(problems);
    }
  }

  private static Problem misspelt(SiteProperty property, String meant) {
    return new Problem(
        Kind.MISSPELT_KEY,
        property.place(),
        "There is no key " + property.name() + "; " + meant + " is the nearest.",
        RemedyLine.replace(property, meant, property.value()));
  }

  private static Problem unknown(SiteProperty property) {
    return new Problem(
        Kind.UNKNOWN_KEY,
        property.place(),
        "This version has no key " + property.name() + ".",
        RemedyLine.remove(property));
  }

  /**
   * Checks stock keys. Many keys of HBase and Hadoop are in no default file, but in the code that
   * reads them.
   */
  private static Optional<Problem> stockSpelling(Vocabulary words, SiteProperty property) {
    String key = property.name();
    if (!key.startsWith("hbase.") && !key.startsWith("dfs.")) {
      return Optional.empty();
    }
    return Spelling.within(key, words.stock(), MISTAKES_IN_STOCK_KEYS)
        .filter(meant -> !words.mentioned().test(key))
        .map(
            meant ->
                new Problem(
                    Kind.MISSPELT_STOCK_KEY,
                    property.place(),
                    "HBase and Hadoop have no key " + key + "; " + meant + " is the nearest.",
                    RemedyLine.replace(property, meant, property.value())));
  }

  private static void values(Evidence evidence, Consumer<Problem> problems) {
    for (ConfDirectory directory : evidence.directories()) {
      for (SiteProperty property : directory.site().effective()) {
        String value = directory.site().value(property.name(), "");
        evidence
            .vocabulary()
            .own()
            .allowed(property.name())
            .filter(allowed -> !allowed.allows(value))
            .ifPresent(allowed -> problems.accept(wrong(property, value, allowed)));
      }
    }
  }

  private static Problem wrong(SiteProperty property, String value, Allowed allowed) {
    String text = property.name() + " is '" + value + "', allowed is " + allowed.plain() + ".";
    String remedy =
        allowed
            .nearest(value)
            .map(nearest -> RemedyLine.replace(property, property.name(), nearest))
            .orElseGet(() -> RemedyLine.remove(property));
    return new Problem(Kind.WRONG_VALUE, property.place(), text, remedy);
  }

  private static void modules(ConfDirectory directory, Consumer<Problem> problems) {
    List<String> words = new ArrayList<>(directory.site().list(Switch.MODULES));
    for (String word : words) {
      if (!MODULES.contains(word)) {
        String meant = Spelling.nearest(word, MODULES).orElse(MODULES.get(0));
        SiteProperty property = directory.site().property(Switch.MODULES).orElseThrow();
        List<String> right = words.stream().map(w -> w.equals(word) ? meant : w).toList();
        problems.accept(
            new Problem(
                Kind.WRONG_VALUE,
                property.place(),
                property.name() + " names '" + word + "', allowed is " + MODULES + ".",
                RemedyLine.replace(property, property.name(), String.join(",", right))));
      }
    }
  }

  /** Finds a key with two values in one file. The last one counts. */
  private static void twice(ConfDirectory directory, Consumer<Problem> problems) {
    Map<String, SiteProperty> seen = new HashMap<>();
    for (SiteProperty property : directory.site().all()) {
      SiteProperty before = seen.put(property.file() + " " + property.name(), property);
      if (before != null && !holdsAll(property, before)) {
        problems.accept(
            new Problem(
                Kind.KEY_TWICE,
                before.place(),
                property.name() + " stands here and in line " + property.line() + "; one counts.",
                twiceMended(before, property)));
      }
    }
  }

  /**
   * Returns whether the later list contains the earlier one. Install repeats an operator's list of
   * classes and appends ours.
   */
  private static boolean holdsAll(SiteProperty later, SiteProperty earlier) {
    return !earlier.isFinal() && parts(later).containsAll(parts(earlier))
        || later.value().equals(earlier.value());
  }

  private static List<String> parts(SiteProperty property) {
    return Arrays.stream(property.value().split(",")).map(String::trim).toList();
  }

  private static String twiceMended(SiteProperty before, SiteProperty property) {
    if (before.isFinal()) {
      return RemedyLine.remove(property);
    }
    return inOurBlock(property)
        ? "fastpath install, with the roles of this machine: its lines repeat the list as it was"
        : RemedyLine.remove(before);
  }

  private static boolean inOurBlock(SiteProperty property) {
    try {
      String text = Files.readString(property.file(), StandardCharsets.ISO_8859_1);
      return new MarkedBlock(MarkedBlock.Syntax.XML).holdsLine(text, property.line());
    } catch (IOException | ConfException e) {
      return false; // Without a readable block, it is an operator's line.
    }
  }

  private static void place(ConfDirectory directory, Consumer<Problem> problems) {
    for (SiteProperty property : directory.site().effective()) {
      rightFile(directory, property)
          .ifPresent(
              file ->
                  problems.accept(
                      new Problem(
                          Kind.KEY_IN_WRONG_FILE,
                          property.place(),
                          property.name() + " is read from " + file + ", not from this file.",
                          RemedyLine.set(file, property.name(), property.value()))));
    }
  }

  /**
   * Returns the file of another product to which a key belongs; empty if its place is right. Other
   * files in HBase's directory may be links to Hadoop's.
   */
  private static Optional<String> rightFile(ConfDirectory directory, SiteProperty property) {
    String key = property.name();
    boolean ofHadoop =
        key.startsWith(POLICY)
            || DATASET_KEYS.contains(key)
            || key.startsWith(DATANODE_ONLY) && KnownKeys.isOwn(key);
    if (directory.hbase()) {
      boolean own = property.file().getFileName().toString().equals(RemedyLine.HBASE_SITE);
      return ofHadoop && own ? Optional.of(RemedyLine.HDFS_SITE + " of Hadoop") : Optional.empty();
    }
    return key.startsWith("hbase.fastpath.") && !key.equals("hbase.fastpath.checksum.provider")
        ? Optional.of(RemedyLine.HBASE_SITE)
        : Optional.empty();
  }

  /** Finds keys of a feature that is not switched on. */
  private static void withoutFeature(ConfDirectory directory, Consumer<Problem> problems) {
    boolean roundRobin = Switch.PER_TYPE_VOLUMES.asked(directory);
    for (Switch feature : Switch.values()) {
      if (feature.ownKeys().isPresent()
          && feature.concerns(directory)
          && !feature.asked(directory)) {
        directory.site().effective().stream()
            .filter(property -> property.name().startsWith(feature.ownKeys().get()))
            .filter(property -> !(roundRobin && property.name().endsWith(ROOM)))
            .findFirst()
            .ifPresent(property -> problems.accept(without(directory, feature, property)));
      }
    }
    pinning(directory, problems);
    rules(directory, problems);
  }

  private static void pinning(ConfDirectory directory, Consumer<Problem> problems) {
    boolean used =
        List.of(Switch.PINNING, Switch.CACHED_REPLICA_COST, Switch.CACHED_REPLICA_BALANCER).stream()
            .anyMatch(part -> part.asked(directory));
    if (directory.hbase() && !used) {
      first(directory, "hbase.fastpath.hdfs-cache.")
          .ifPresent(property -> problems.accept(without(directory, Switch.PINNING, property)));
    }
  }

  private static void rules(ConfDirectory directory, Consumer<Problem> problems) {
    boolean used =
        List.of(Switch.TIER_RULES, Switch.TIER_CHECKER, Switch.TIER_KEEPER).stream()
            .anyMatch(part -> part.asked(directory));
    if (directory.hbase() && !used) {
      first(directory, "hbase.fastpath.tiering.")
          .filter(property -> !property.name().startsWith("hbase.fastpath.tiering.keeper."))
          .ifPresent(property -> problems.accept(without(directory, Switch.TIER_RULES, property)));
    }
  }

  private static Optional<SiteProperty> first(ConfDirectory directory, String prefix) {
    return directory.site().effective().stream()
        .filter(property -> property.name().startsWith(prefix))
        .findFirst();
  }

  private static Problem without(ConfDirectory directory, Switch feature, SiteProperty property) {
    String value = feature.value().orElse("");
    return new Problem(
        Kind.KEYS_WITHOUT_FEATURE,
        property.place(),
        property.name() + " does nothing: " + feature.key() + " does not name " + value + ".",
        RemedyLine.add(directory, feature.key(), value));
  }
}
