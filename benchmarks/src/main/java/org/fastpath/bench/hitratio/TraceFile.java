package org.fastpath.bench.hitratio;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A recorded trace: a line for each read, {@code FILE OFFSET LENGTH}, numbers with blanks between;
 * a fourth word {@code scan} says that the read does not count. Lines that begin with {@code #} are
 * comments. A block has the length of its first line.
 */
final class TraceFile {
  private final Map<Block, Integer> numbers = new HashMap<>();
  private final BitSet scans = new BitSet();
  private int[] reads = new int[1 << 16];
  private int[] lengths = new int[1 << 10];
  private int count;

  private record Block(long file, long offset) {}

  private TraceFile() {}

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if a line is none of a trace
   */
  static Trace read(Path file) throws IOException {
    TraceFile trace = new TraceFile();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.startsWith("#") && !line.isBlank()) {
          trace.add(line, file + ":" + number);
        }
      }
    }
    return new Trace(
        file.getFileName().toString(),
        Arrays.copyOf(trace.reads, trace.count),
        trace.scans,
        Arrays.copyOf(trace.lengths, trace.numbers.size()));
  }

  private void add(String line, String where) {
    String[] words = line.trim().split("\\s+");
    if (words.length < 3 || words.length > 4 || words.length == 4 && !words[3].equals("scan")) {
      throw new IllegalArgumentException(where + ": not FILE OFFSET LENGTH [scan]: " + line);
    }
    try {
      add(
          new Block(Long.parseLong(words[0]), Long.parseLong(words[1])),
          Integer.parseInt(words[2]));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(where + ": not a number: " + line, e);
    }
    if (words.length == 4) {
      scans.set(count - 1);
    }
  }

  private void add(Block block, int length) {
    int next = numbers.size();
    int number = numbers.computeIfAbsent(block, any -> next);
    if (number == next) {
      if (next == lengths.length) {
        lengths = Arrays.copyOf(lengths, 2 * next);
      }
      lengths[next] = length;
    }
    if (count == reads.length) {
      reads = Arrays.copyOf(reads, 2 * count);
    }
    reads[count++] = number;
  }
}
