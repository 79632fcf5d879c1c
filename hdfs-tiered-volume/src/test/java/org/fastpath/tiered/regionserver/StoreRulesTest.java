package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.regionserver.RestingFile.Change;
import org.fastpath.tiered.regionserver.RestingFile.State;
import org.fastpath.tiered.regionserver.StoreFileHistory.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreRulesTest {
  private static final long NOW = TimeUnit.DAYS.toMillis(20_000);
  private static final long YOUNG = NOW - 1;
  private static final long OLD = NOW - TimeUnit.DAYS.toMillis(31);

  private final Configuration store = new Configuration(false);

  /** A file of 1 MB in a directory whose policy is HOT. */
  private record File(
      String policy, Writer writer, long modifiedMillis, long newestMillis, OptionalDouble reads)
      implements StoreRules.Subject {
    static File of(String policy, Writer writer) {
      return new File(policy, writer, YOUNG, YOUNG, OptionalDouble.empty());
    }

    File from(long modified, long newest) {
      return new File(policy, writer, modified, newest, reads);
    }

    File read(double perSecond) {
      return new File(policy, writer, modifiedMillis, newestMillis, OptionalDouble.of(perSecond));
    }

    @Override
    public String inherited() {
      return "HOT";
    }

    @Override
    public long bytes() {
      return 1 << 20;
    }

    @Override
    public Optional<StoreFileHistory> history() {
      return Optional.ofNullable(writer).map(who -> new StoreFileHistory(who, newestMillis));
    }
  }

  private PlacementDecision wish(File file) throws IOException {
    return StoreRules.of(store).of(file, NOW);
  }

  private static PlacementDecision set(State state, String policy) {
    return new PlacementDecision(state, Optional.of(policy), Change.SET);
  }

  private static PlacementDecision stay(State state, String policy) {
    return new PlacementDecision(state, Optional.of(policy), Change.NONE);
  }

  @Test
  void aFileIsWhereItWouldBeWrittenToday() throws IOException {
    store.set(TierRules.FLUSH, "ALL_SSD");
    store.set(TierRules.COMPACTION, "COLD");
    assertThat(wish(File.of("HOT", Writer.FLUSH))).isEqualTo(set(State.FLUSHED, "ALL_SSD"));
    assertThat(wish(File.of("ALL_SSD", Writer.FLUSH))).isEqualTo(stay(State.FLUSHED, "ALL_SSD"));
    assertThat(wish(File.of("ALL_SSD", Writer.MINOR_COMPACTION)))
        .isEqualTo(set(State.COMPACTED, "COLD"));
    assertThat(wish(File.of("HOT", Writer.MAJOR_COMPACTION)))
        .isEqualTo(set(State.MAJOR_COMPACTED, "COLD"));
  }

  @Test
  void aFileThatCannotBeReadStays() throws IOException {
    store.set(TierRules.FLUSH, "ALL_SSD");
    store.set(TierRules.COMPACTION, "COLD");
    assertThat(wish(File.of("COLD", null))).isEqualTo(PlacementDecision.none(State.UNKNOWN));
    assertThat(wish(File.of("COLD", Writer.UNKNOWN)))
        .isEqualTo(PlacementDecision.none(State.UNKNOWN));
  }

  @Test
  void howMuchACompactionReadIsNotKnownAfterwards() throws IOException {
    store.set(TierRules.COMPACTION, "ALL_SSD");
    store.set(TierRules.LARGE, "COLD");
    store.set(TierRules.LARGE_SIZE, "1m");
    for (String written : new String[] {"ALL_SSD", "COLD"}) {
      assertThat(wish(File.of(written, Writer.MINOR_COMPACTION)))
          .isEqualTo(stay(State.COMPACTED, written));
    }
    assertThat(wish(File.of("HOT", Writer.MINOR_COMPACTION)))
        .as("by its own size")
        .isEqualTo(set(State.COMPACTED, "COLD"));
  }

  @Test
  void howOldACompactionsCellsWereIsNotKnownAfterwards() throws IOException {
    store.set(TierRules.COMPACTION, "ALL_SSD");
    store.set(TierRules.OLD, "COLD");
    for (String written : new String[] {"ALL_SSD", "COLD"}) {
      assertThat(wish(File.of(written, Writer.MAJOR_COMPACTION).from(OLD, OLD)))
          .isEqualTo(stay(State.MAJOR_COMPACTED, written));
    }
    assertThat(wish(File.of("HOT", Writer.MAJOR_COMPACTION).from(OLD, OLD)))
        .as("by its own age")
        .isEqualTo(set(State.MAJOR_COMPACTED, "COLD"));
    assertThat(wish(File.of("COLD", Writer.MAJOR_COMPACTION)))
        .as("too young for that")
        .isEqualTo(set(State.MAJOR_COMPACTED, "ALL_SSD"));
  }

  @Test
  void filesThatHBaseDidNotFlushOrCompactHaveRulesOfTheirOwn() throws IOException {
    store.set(TierRules.BULK_LOAD, "ALL_SSD");
    store.set(TierRules.MOB, "COLD");
    assertThat(wish(File.of("HOT", Writer.BULK_LOAD))).isEqualTo(set(State.BULK_LOADED, "ALL_SSD"));
    assertThat(StoreRules.of(store).ofMob(File.of("HOT", Writer.FLUSH), NOW))
        .isEqualTo(set(State.MOB, "COLD"));
  }

  @Test
  void whatNoRuleIsAboutGetsItsDirectorysPolicyBack() throws IOException {
    store.set(TierRules.COMPACTION, "COLD");
    assertThat(wish(File.of("COLD", Writer.FLUSH)))
        .isEqualTo(new PlacementDecision(State.FLUSHED, Optional.of("HOT"), Change.UNSET));
    assertThat(wish(File.of("ONE_SSD", Writer.FLUSH)))
        .as("not by a rule")
        .isEqualTo(PlacementDecision.none(State.FLUSHED));
    assertThat(wish(File.of("HOT", Writer.FLUSH))).isEqualTo(PlacementDecision.none(State.FLUSHED));
  }

  @Test
  void aFileIsAsOldAsItsNewestCellButNotYoungerThanItself() throws IOException {
    store.set(AtRestRules.COLD, "COLD");
    assertThat(wish(File.of("HOT", Writer.FLUSH).from(YOUNG, OLD)))
        .isEqualTo(set(State.COLD, "COLD"));
    assertThat(wish(File.of("HOT", Writer.FLUSH).from(OLD, Long.MAX_VALUE)))
        .isEqualTo(set(State.COLD, "COLD"));
    assertThat(wish(File.of("HOT", Writer.FLUSH))).isEqualTo(PlacementDecision.none(State.FLUSHED));
    store.set(AtRestRules.COLD_AGE, "32d");
    assertThat(wish(File.of("HOT", Writer.FLUSH).from(OLD, OLD)))
        .isEqualTo(PlacementDecision.none(State.FLUSHED));
  }

  @Test
  void whatIsReadStaysHotUntilItIsReadHalfAsOften() throws IOException {
    store.set(AtRestRules.HOT, "ALL_SSD");
    store.set(AtRestRules.COLD, "COLD");
    store.set(AtRestRules.HOT_READS, "10");
    File cold = File.of("HOT", Writer.FLUSH);
    File hot = File.of("ALL_SSD", Writer.FLUSH);
    assertThat(wish(cold.read(9))).isEqualTo(PlacementDecision.none(State.FLUSHED));
    assertThat(wish(cold.read(10))).isEqualTo(set(State.HOT, "ALL_SSD"));
    assertThat(wish(hot.read(5))).isEqualTo(stay(State.HOT, "ALL_SSD"));
    assertThat(wish(hot.read(4)).change()).isEqualTo(Change.UNSET);
    assertThat(wish(hot)).as("not known").isEqualTo(stay(State.HOT, "ALL_SSD"));
    assertThat(wish(cold)).as("not known").isEqualTo(PlacementDecision.none(State.FLUSHED));
    assertThat(wish(cold.from(OLD, OLD).read(10))).isEqualTo(set(State.HOT, "ALL_SSD"));
  }

  @Test
  void anArchivedFileMovesWhenItIsKeptForLong() {
    store.set(AtRestRules.ARCHIVE, "cold");
    ArchiveRule rule = AtRestRules.of(store).archive().orElseThrow();
    long tenMinutesAgo = NOW - TimeUnit.MINUTES.toMillis(10);
    assertThat(rule.of("HOT", tenMinutesAgo, NOW)).isEqualTo(set(State.ARCHIVED, "COLD"));
    assertThat(rule.of("HOT", tenMinutesAgo + 1, NOW))
        .isEqualTo(PlacementDecision.none(State.ARCHIVED));
    assertThat(rule.of("COLD", tenMinutesAgo, NOW)).isEqualTo(stay(State.ARCHIVED, "COLD"));
  }

  @ParameterizedTest
  @CsvSource({
    "archive, LAZY_PERSIST, any other policy",
    "archive-age, soon, a time with the suffix",
    "cold-age, 999, from 1000 to",
    "hot-reads, 0, from 1 to",
    "hot, COLD, a policy that hbase.fastpath.tiering.cold is not"
  })
  void aWrongValueIsNamed(String key, String value, String allowed) {
    store.set(AtRestRules.COLD, "COLD");
    store.set(TierRules.PREFIX + key, value);
    assertThatThrownBy(() -> AtRestRules.of(store))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("hbase.fastpath.tiering." + key + " is " + value + ", allowed is ")
        .hasMessageContaining(allowed);
  }

  @Test
  void itsKeysAreKnownAndThoseOfTheKeeperAreNoneOfATable() {
    assertThatCode(() -> AtRestRules.KEYS.forEach(key -> TierRules.requireKnown(key, "COLD")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> TierRules.requireKnown(KeeperOptions.PERIOD, "1000"))
        .hasMessageContaining("allowed is nothing");
  }
}
