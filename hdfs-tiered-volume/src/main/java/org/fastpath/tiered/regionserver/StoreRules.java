package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;

/**
 * Combines all rules of one column family for a complete store file: {@code hot}, otherwise {@code
 * cold}, otherwise the policy of a file written today. Immutable.
 *
 * <p><b>The policy at writing</b> follows from the file's metadata ({@link StoreFileHistory}). Two
 * facts are missing there: the input size of a compaction, and the age of its cells. The output may
 * be smaller by any factor, and has become older since. So a compacted file is correct with the
 * policy of either side of {@code large-compaction-size}. The same holds for {@code
 * old-compaction-age}. If it has none of these policies, its own size and age decide.
 *
 * <p><b>A file without a rule</b> gets back its directory's policy if it has a policy that rules of
 * its family give. Example: a file that is no longer hot. Any other policy is the decision of a
 * user and stays.
 *
 * <p><b>Hot files stay hot</b> until their region's read rate is half of the limit. The file's
 * policy, which the NameNode stores, shows whether it is hot. While the read rate of a region is
 * unknown, its files stay as they are.
 */
final class StoreRules {
  private static final long UNKNOWN = -1;

  /** The ratio of the limit for leaving the hot state. */
  private static final double HYSTERESIS = 0.5;

  private final TierRules written;
  private final AtRestRules resting;

  private StoreRules(TierRules written, AtRestRules resting) {
    this.written = written;
    this.resting = resting;
  }

  /** A file. Its facts are read only if the rules need them. */
  interface Subject {
    /** Returns its effective policy. */
    String policy();

    /** Returns the inherited policy. */
    String inherited() throws IOException;

    /** Returns the requests a second of its region, if known. */
    OptionalDouble reads();

    long modifiedMillis();

    long bytes();

    /** Returns its history; empty if it cannot be read. */
    Optional<StoreFileHistory> history() throws IOException;
  }

  /**
   * Reads the rules of a store from its configuration, which includes its table's and family's
   * attributes.
   */
  static StoreRules of(Configuration store) {
    return new StoreRules(TierRules.of(store), AtRestRules.of(store));
  }

  /** Returns whether there are rules about files in stores. */
  boolean areAboutStores() {
    return !written.isEmpty() || resting.hot().isPresent() || resting.cold().isPresent();
  }

  /** Returns whether the rules depend on the read rate of regions. */
  boolean dependOnReads() {
    return resting.hot().isPresent();
  }

  Optional<ArchiveRule> archive() {
    return resting.archive();
  }

  /** Decides about a store file. */
  PlacementDecision of(Subject file, long nowMillis) throws IOException {
    if (resting.hot().isPresent() && isHot(file, resting.hot().get())) {
      return PlacementDecision.policy(RestingFile.State.HOT, resting.hot().get(), file.policy());
    }
    return isCold(file, nowMillis) ? cold(file) : asWritten(file, nowMillis);
  }

  /** Decides about a MOB file, whose read rate is unknown. */
  PlacementDecision ofMob(Subject file, long nowMillis) throws IOException {
    return isCold(file, nowMillis)
        ? cold(file)
        : among(RestingFile.State.MOB, List.of(written.mob()), file);
  }

  /** Returns the time when a file becomes cold; never without a rule. */
  long coldAt(Subject file) throws IOException {
    return resting.cold().isEmpty() ? Long.MAX_VALUE : newest(file) + resting.coldAgeMillis();
  }

  /**
   * Returns a fingerprint of the rules and of the class of reads: all inputs of a decision besides
   * the file.
   */
  long fingerprint(OptionalDouble reads) {
    long rules = 31L * written.hashCode() + resting.hashCode();
    return 31 * rules + (resting.hot().isEmpty() ? 0 : 1 + readsClass(reads));
  }

  private int readsClass(OptionalDouble reads) {
    if (reads.isEmpty()) {
      return 0;
    }
    double share = reads.getAsDouble() / resting.hotReads();
    return share >= 1 ? 1 : share >= HYSTERESIS ? 2 : 3;
  }

  private boolean isCold(Subject file, long nowMillis) throws IOException {
    return resting.cold().isPresent() && nowMillis - newest(file) >= resting.coldAgeMillis();
  }

  private PlacementDecision cold(Subject file) {
    return PlacementDecision.policy(
        RestingFile.State.COLD, resting.cold().orElseThrow(), file.policy());
  }

  private boolean isHot(Subject file, String policy) {
    boolean already = file.policy().equals(policy);
    OptionalDouble reads = file.reads();
    if (reads.isEmpty()) {
      return already;
    }
    return reads.getAsDouble() >= (already ? HYSTERESIS : 1) * resting.hotReads();
  }

  /**
   * Returns the time of the last write to a file. The timestamps of its cells tell it; a compaction
   * keeps them and makes a new file. But a client may choose any timestamp. A cell cannot be
   * younger than its file, so the file's time is the limit.
   */
  private long newest(Subject file) throws IOException {
    long modified = file.modifiedMillis();
    return Math.min(
        modified, file.history().map(StoreFileHistory::newestMillis).orElse(Long.MAX_VALUE));
  }

  private PlacementDecision asWritten(Subject file, long nowMillis) throws IOException {
    Optional<StoreFileHistory> history = file.history();
    if (history.isEmpty()) {
      return PlacementDecision.none(RestingFile.State.UNKNOWN);
    }
    return switch (history.get().writer()) {
      case FLUSH ->
          among(RestingFile.State.FLUSHED, List.of(written.policy(StoreFileOrigin.FLUSH)), file);
      case MINOR_COMPACTION ->
          among(
              RestingFile.State.COMPACTED,
              possible(StoreFileKind.MINOR_COMPACTION, file, nowMillis),
              file);
      case MAJOR_COMPACTION ->
          among(
              RestingFile.State.MAJOR_COMPACTED,
              possible(StoreFileKind.MAJOR_COMPACTION, file, nowMillis),
              file);
      case BULK_LOAD -> among(RestingFile.State.BULK_LOADED, List.of(written.bulkLoad()), file);
      case UNKNOWN -> PlacementDecision.none(RestingFile.State.UNKNOWN);
    };
  }

  /** Returns the possible policies of a compaction's output, the current one first. */
  private List<Optional<String>> possible(StoreFileKind kind, Subject file, long nowMillis)
      throws IOException {
    long age = nowMillis - newest(file);
    return List.of(
        compacted(kind, file.bytes(), age),
        compacted(kind, file.bytes(), UNKNOWN),
        compacted(kind, 0, UNKNOWN),
        compacted(kind, Long.MAX_VALUE, UNKNOWN));
  }

  private Optional<String> compacted(StoreFileKind kind, long inputBytes, long ageMillis) {
    return written.policy(new StoreFileOrigin(kind, inputBytes, ageMillis));
  }

  private PlacementDecision among(
      RestingFile.State state, List<Optional<String>> possible, Subject file) throws IOException {
    if (possible.contains(Optional.of(file.policy()))) {
      return PlacementDecision.policy(state, file.policy(), file.policy());
    }
    Optional<String> likeliest = possible.get(0);
    return likeliest.isPresent()
        ? PlacementDecision.policy(state, likeliest.get(), file.policy())
        : withoutRule(state, file);
  }

  private PlacementDecision withoutRule(RestingFile.State state, Subject file) throws IOException {
    if (!isOurs(file.policy()) || file.policy().equals(file.inherited())) {
      return PlacementDecision.none(state);
    }
    return new PlacementDecision(state, Optional.of(file.inherited()), RestingFile.Change.UNSET);
  }

  private boolean isOurs(String policy) {
    return written.policies().containsValue(policy) || resting.policies().containsValue(policy);
  }
}
