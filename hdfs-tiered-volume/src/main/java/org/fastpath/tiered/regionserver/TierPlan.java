package org.fastpath.tiered.regionserver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Sums up the places of files and the planned changes, for an operator. Not thread-safe. */
final class TierPlan {
  private static final String GAP = "  ";
  private static final List<String> HEADING =
      List.of("table", "family", "files", "", "on", "policy", "wanted", "to move");

  /** Files with equal state and policies. */
  private record Group(
      String table, String family, RestingFile.State state, String policy, String wanted)
      implements Comparable<Group> {
    private static final Comparator<Group> ORDER =
        Comparator.comparing(Group::table)
            .thenComparing(Group::family)
            .thenComparing(Group::state)
            .thenComparing(Group::wanted)
            .thenComparing(Group::policy);

    static Group of(RestingFile file) {
      return new Group(
          file.table().getNameAsString(),
          file.family(),
          file.state(),
          file.policy(),
          file.wanted().orElse("-"));
    }

    @Override
    public int compareTo(Group other) {
      return ORDER.compare(this, other);
    }
  }

  private static final class Sum {
    private final Map<StorageType, Long> stored = new EnumMap<>(StorageType.class);
    private long files;
    private long movingFiles;
    private long movingBytes;

    void add(RestingFile file) {
      files++;
      file.stored().forEach((type, bytes) -> stored.merge(type, bytes, Long::sum));
      movingFiles += file.misplaced().isEmpty() ? 0 : 1;
      movingBytes += file.misplacedBytes();
    }

    String places() {
      return stored.entrySet().stream()
          .map(entry -> entry.getKey() + " " + bytes(entry.getValue()))
          .collect(Collectors.joining(", "));
    }
  }

  private final Map<Group, Sum> groups = new TreeMap<>();
  private long changes;

  void add(RestingFile file) {
    groups.computeIfAbsent(Group.of(file), group -> new Sum()).add(file);
    changes += file.change() == RestingFile.Change.NONE ? 0 : 1;
  }

  private static String bytes(long bytes) {
    return TraditionalBinaryPrefix.long2String(bytes, "B", 1);
  }

  /** Returns a table and a summary line. */
  List<String> lines() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADING);
    groups.forEach((group, sum) -> rows.add(row(group, sum)));
    List<String> lines = new ArrayList<>(aligned(rows));
    long files = groups.values().stream().mapToLong(sum -> sum.movingFiles).sum();
    long moving = groups.values().stream().mapToLong(sum -> sum.movingBytes).sum();
    lines.add(
        String.format(
            "%d files would get another policy, %s of %d files would move",
            changes, bytes(moving), files));
    return lines;
  }

  private static List<String> row(Group group, Sum sum) {
    return List.of(
        group.table(),
        group.family(),
        group.state().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        Long.toString(sum.files),
        sum.places(),
        group.policy(),
        group.wanted(),
        sum.movingFiles == 0 ? "-" : sum.movingFiles + " files, " + bytes(sum.movingBytes));
  }

  private static List<String> aligned(List<List<String>> rows) {
    int[] widths = new int[HEADING.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> aligned(row, widths)).toList();
  }

  private static String aligned(List<String> row, int... widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length())).append(GAP);
    }
    return line.toString().stripTrailing();
  }
}
