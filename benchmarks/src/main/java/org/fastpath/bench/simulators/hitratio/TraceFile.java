package org.fastpath.bench.simulators.hitratio;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.LineNumberReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * A recorded trace. Each read is a line {@code FILE OFFSET LENGTH}, numbers separated by blanks. A
 * fourth word {@code scan} means that the read does not count. Lines that begin with {@code #} are
 * comments. A block has the length of its first line. A file whose name ends with {@code .gz} is
 * compressed.
 */
final class TraceFile {
  private final Map<Block, Integer> numbers = new HashMap<>();
  private final BitSet scans = new BitSet();
  private final List<Integer> reads = new ArrayList<>();
  private final List<Integer> lengths = new ArrayList<>();

  private record Block(long file, long offset) {}

  /** Reads a file; throws an {@link IllegalArgumentException} if a line is invalid. */
  static Trace read(Path file) throws IOException {
    try (InputStream bytes = Files.newInputStream(file)) {
      return read(file.getFileName().toString(), file.toString(), bytes);
    }
  }

  /** Reads the traces that are part of the benchmarks. */
  static List<Trace> recorded() throws IOException {
    return List.of(
        recorded("recorded, PE mixed", "pe-mixed.trace.gz"),
        recorded("recorded, YCSB A-F", "ycsb.trace.gz"));
  }

  private static Trace recorded(String name, String file) throws IOException {
    try (InputStream bytes = TraceFile.class.getResourceAsStream(file)) {
      return read(name, file, bytes);
    }
  }

  private static Trace read(String name, String file, InputStream bytes) throws IOException {
    InputStream plain = file.endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
    LineNumberReader lines =
        new LineNumberReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
    TraceFile trace = new TraceFile();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.startsWith("#") && !line.isBlank()) {
        trace.add(line, file + ":" + lines.getLineNumber());
      }
    }
    return new Trace(name, array(trace.reads), trace.scans, array(trace.lengths));
  }

  private static int[] array(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  private void add(String line, String where) {
    String[] words = line.trim().split("\\s+");
    if (words.length < 3 || words.length > 4 || words.length == 4 && !words[3].equals("scan")) {
      throw new IllegalArgumentException(
          where + ": the line is not FILE OFFSET LENGTH [scan]: " + line);
    }
    try {
      Block block = new Block(Long.parseLong(words[0]), Long.parseLong(words[1]));
      int length = Integer.parseInt(words[2]);
      if (numbers.putIfAbsent(block, lengths.size()) == null) {
        lengths.add(length);
      }
      scans.set(reads.size(), words.length == 4);
      reads.add(numbers.get(block));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(where + ": not a number: " + line, e);
    }
  }
}
