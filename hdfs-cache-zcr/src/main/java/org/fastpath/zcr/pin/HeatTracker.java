package org.fastpath.zcr.pin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.fastpath.zcr.pin.PinPlan.Action;
import org.fastpath.zcr.pin.PinPlan.Step;
import org.fastpath.zcr.pin.PinPlan.Verdict;

/**
 * A RegionServer's knowledge of the files that it reads, with the coordinator's answers about them.
 * It makes the {@link HeatReport}s.
 *
 * <p><b>Relevant files</b> are those of ALWAYS tables, known pinned ones, and those of AUTO tables
 * with enough reads for a pin. A report has at most {@link HeatReport#MAX_FILES} of them. For all
 * others the coordinator gets a hash, so that a pinned file does not count as unread.
 *
 * <p>Thread-safe: a report and the end of a compaction exclude each other. It never waits.
 */
final class HeatTracker {
  /** The time after which an output that was never put in place is dropped. */
  private static final long PENDING_MILLIS = TimeUnit.MINUTES.toMillis(5);

  private static final Comparator<FileHeat> MAX_WANTED =
      Comparator.comparing(FileHeat::policy)
          .thenComparing(
              Comparator.comparingDouble((FileHeat file) -> file.heat() / file.length()).reversed())
          .thenComparing(FileHeat::path);

  private final String server;
  private final AccessFrequencies heats;
  private final Map<String, Pending> pending = new HashMap<>();
  private Set<String> erasureCoded = Set.of();
  private volatile PinReply reply = new PinReply("", 0, 0, List.of());

  /** The output of an unfinished compaction. */
  private record Pending(OpenFile file, long since) {}

  HeatTracker(String server, long halfLifeMillis) {
    this.server = server;
    heats = new AccessFrequencies(halfLifeMillis);
  }

  /** Takes the coordinator's answer. */
  void received(PinReply answer) {
    reply = answer;
  }

  /**
   * Makes a report of the open files.
   *
   * @param now milliseconds of a clock that does not go back
   */
  synchronized HeatReport report(OpenFiles open, long now) {
    observe(open, now);
    Map<String, FileHeat> byPath = new TreeMap<>();
    open.files().forEach(file -> byPath.merge(file.path(), heat(file, now), FileHeat::and));
    pending.values().forEach(output -> byPath.put(output.file.path(), heat(output.file, now)));
    erasureCoded =
        byPath.values().stream()
            .filter(file -> !file.cacheable())
            .map(FileHeat::path)
            .collect(Collectors.toSet());
    Set<String> pinned = pinned();
    List<FileHeat> files =
        byPath.values().stream()
            .filter(file -> matters(file, pinned))
            .sorted(MAX_WANTED)
            .limit(HeatReport.MAX_FILES)
            .toList();
    long[] hashes =
        byPath.keySet().stream()
            .mapToLong(HeatReport::hash)
            .limit(HeatReport.MAX_OPEN)
            .sorted()
            .toArray();
    return new HeatReport(server, hashes.length == byPath.size(), open.regions(), files, hashes);
  }

  private void observe(OpenFiles open, long now) {
    Set<String> readers = new HashSet<>();
    Set<String> paths = new HashSet<>();
    for (OpenFile file : open.files()) {
      heats.read(file.path(), file.reader(), file.bytesRead(), now);
      readers.add(file.reader());
      paths.add(file.path());
    }
    pending.keySet().removeAll(paths);
    pending.values().removeIf(output -> now - output.since > PENDING_MILLIS);
    paths.addAll(pending.keySet());
    heats.retain(paths, readers);
  }

  private FileHeat heat(OpenFile file, long now) {
    return new FileHeat(
        file.path(),
        file.length(),
        file.policy(),
        file.region().equals(regionOf(file.path())),
        !file.erasureCoded(),
        pending.containsKey(file.path()),
        heats.of(file.path(), now),
        heats.settling(file.path(), now));
  }

  private static boolean matters(FileHeat file, Set<String> pinned) {
    return switch (file.policy()) {
      case ALWAYS -> file.cacheable();
      case AUTO ->
          pinned.contains(file.path())
              || file.cacheable()
                  && (file.pending() || file.heat() >= PinPlanner.MIN_WORTH * file.length());
      case NEVER -> pinned.contains(file.path());
    };
  }

  /** Returns the region of a file's directory: {@code .../TABLE/REGION/FAMILY/FILE}. */
  static String regionOf(String path) {
    int family = path.lastIndexOf('/');
    int region = family < 0 ? -1 : path.lastIndexOf('/', family - 1);
    return region <= 0 ? "" : path.substring(path.lastIndexOf('/', region - 1) + 1, region);
  }

  /** Returns the paths of erasure-coded files that are open here. */
  synchronized Set<String> erasureCoded() {
    return erasureCoded;
  }

  /**
   * Records a compaction whose output is about to replace its inputs.
   *
   * @return the request to pin the output, or null if it shall not be pinned
   */
  synchronized OutputPinRequest succeed(
      OpenFile output, Collection<OpenFile> inputs, OpenFiles open, long now) {
    Set<String> paths = inputs.stream().map(OpenFile::path).collect(Collectors.toSet());
    long inputBytes = inputs.stream().mapToLong(OpenFile::length).sum();
    if (output.erasureCoded() || !deserves(output, inputs, inputBytes)) {
      return null;
    }
    double share = inputBytes == 0 ? 0 : Math.min(1, (double) output.length() / inputBytes);
    heats.inherit(output.path(), paths, share, now);
    pending.put(output.path(), new Pending(output, now));
    return new OutputPinRequest(report(open, now), output.path(), paths);
  }

  /** Returns whether the output shall be pinned: most of the input bytes are pinned. */
  private boolean deserves(OpenFile output, Collection<OpenFile> inputs, long inputBytes) {
    return switch (output.policy()) {
      case ALWAYS -> true;
      case AUTO -> {
        Set<String> pinned = pinned();
        long pinnedBytes =
            inputs.stream()
                .filter(input -> pinned.contains(input.path()))
                .mapToLong(OpenFile::length)
                .sum();
        yield pinnedBytes > 0 && pinnedBytes >= inputBytes / 2;
      }
      case NEVER -> false;
    };
  }

  private Set<String> pinned() {
    return reply.files().stream()
        .filter(PinReply.State::pinned)
        .map(PinReply.State::path)
        .collect(Collectors.toSet());
  }

  /** Returns the coordinator's last answer, for operators. */
  PinReport shown() {
    PinReply last = reply;
    List<Verdict> verdicts = new ArrayList<>();
    for (PinReply.State file : last.files()) {
      verdicts.add(
          new Verdict(file.path(), file.bytes(), file.worth(), file.pinned(), file.reason()));
    }
    Map<String, Directive> own =
        last.files().stream()
            .filter(PinReply.State::pinned)
            .map(HeatTracker::directive)
            .collect(Collectors.toMap(Directive::path, Function.identity()));
    return new PinReport(new PinPlan(verdicts, steps(last), 0), own, last.limit());
  }

  private static List<Step> steps(PinReply reply) {
    return reply.files().stream()
        .filter(file -> file.pinned() != file.reason().wanted())
        .map(file -> new Step(file.pinned() ? Action.UNPIN : Action.PIN, file.path(), file.bytes()))
        .toList();
  }

  private static Directive directive(PinReply.State file) {
    return new Directive(file.path(), List.of(), file.bytes(), file.cachedBytes(), 0, false);
  }
}
