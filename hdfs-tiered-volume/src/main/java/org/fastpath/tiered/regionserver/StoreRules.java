package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;

/**
 * What all rules of one column family together want of a store file at rest: {@code hot}, else
 * {@code cold}, else what it would be written with today. Immutable.
 *
 * <p><b>What a file was written with</b> is told by the file itself ({@link StoreFileHistory}), but
 * for two things: how much a compaction has read, and how old its cells were then. Its output may
 * be smaller by any factor, by deletes and by another compression, and has got older since. So a
 * compacted file that has the policy of either side of {@code large-compaction-size} is right, and
 * an old one that of either side of {@code old-compaction-age}; where it has none of these, its own
 * size and age decide.
 *
 * <p><b>A file that no rule is about</b> gets back its directory's policy if what it has is one
 * that rules of its family give, as a file has that is no longer hot. Any other policy is somebody
 * else's decision, and stays.
 *
 * <p><b>Hot files stay hot</b> until their region is read half as often as made them so: what a
 * file has, which the NameNode keeps, says on which side of the two limits it is. As long as it is
 * not known how often a region is read its files stay as they are.
 */
final class StoreRules {
  private static final long UNKNOWN = -1;

  /** From hot to not hot any longer. */
  private static final double HYSTERESIS = 0.5;

  private final TierRules written;
  private final AtRestRules resting;

  private StoreRules(TierRules written, AtRestRules resting) {
    this.written = written;
    this.resting = resting;
  }

  /** A file, of which only that is looked at which the rules need. */
  interface Subject {
    /** The policy that counts for it now. */
    String policy();

    /** The policy that would if it had none of its own. */
    String inherited() throws IOException;

    /** Requests a second of its region, if that is known. */
    OptionalDouble reads();

    long modifiedMillis();

    long bytes();

    /** What it says of itself; empty if it cannot be read. */
    Optional<StoreFileHistory> history() throws IOException;
  }

  /** The rules of a store with that configuration, its table's and family's attributes included. */
  static StoreRules of(Configuration store) {
    return new StoreRules(TierRules.of(store), AtRestRules.of(store));
  }

  /** Whether there are rules about files in stores. */
  boolean areAboutStores() {
    return !written.isEmpty() || resting.hot().isPresent() || resting.cold().isPresent();
  }

  /** Whether it matters how often regions are read. */
  boolean dependOnReads() {
    return resting.hot().isPresent();
  }

  Optional<ArchiveRule> archive() {
    return resting.archive();
  }

  /** What is wanted of a store file. */
  PlacementDecision of(Subject file, long nowMillis) throws IOException {
    if (resting.hot().isPresent() && isHot(file, resting.hot().get())) {
      return PlacementDecision.policy(RestingFile.State.HOT, resting.hot().get(), file.policy());
    }
    return isCold(file, nowMillis) ? cold(file) : asWritten(file, nowMillis);
  }

  /** What is wanted of a MOB file, of which it is not known how often it is read. */
  PlacementDecision ofMob(Subject file, long nowMillis) throws IOException {
    return isCold(file, nowMillis)
        ? cold(file)
        : among(RestingFile.State.MOB, List.of(written.mob()), file);
  }

  /** When a file becomes cold; never if no rule says so. */
  long coldAt(Subject file) throws IOException {
    return resting.cold().isEmpty() ? Long.MAX_VALUE : newest(file) + resting.coldAgeMillis();
  }

  /** What the decision about a file depends on besides the file: these rules, and reads. */
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
   * When something was written to a file last. Its cells' timestamps tell, which a compaction
   * leaves as they are while it makes the file new. But they may be anything that a client says,
   * while a cell cannot be younger than its file.
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

  /** The policies that a compaction can have written a file with, that of today first. */
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
