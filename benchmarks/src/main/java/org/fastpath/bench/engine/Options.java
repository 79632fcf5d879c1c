package org.fastpath.bench.engine;

import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Shared options of experiments, as mixins, and converters that refuse invalid numbers. */
public final class Options {
  private Options() {}

  /** Accepts a number from 1 on. */
  public static class Positive implements ITypeConverter<Integer> {
    int least() {
      return 1;
    }

    @Override
    public final Integer convert(String text) {
      if (!text.matches("-?\\d{1,9}") || Integer.parseInt(text) < least()) {
        throw new TypeConversionException(text + " is not a number of at least " + least());
      }
      return Integer.valueOf(text);
    }
  }

  /** Accepts a number from 0 on. */
  public static final class NotNegative extends Positive {
    @Override
    int least() {
      return 0;
    }
  }

  /** The number of rounds. */
  public static final class Rounds {
    @Option(
        names = "--rounds",
        converter = Positive.class,
        description = "Number of measurements of each side.")
    public int rounds;

    public Rounds(int rounds) {
      this.rounds = rounds;
    }
  }

  /** The times of a measurement in a round. */
  public static final class Times {
    @Option(
        names = "--warm-up",
        converter = NotNegative.class,
        description = "Seconds of the warm-up.")
    public int warmUp;

    @Option(
        names = "--seconds",
        converter = Positive.class,
        description = "Duration of the measurement in a round.")
    public int seconds;

    public Times(int warmUp, int seconds) {
      this.warmUp = warmUp;
      this.seconds = seconds;
    }
  }

  /** The load of a table's clients. */
  public static final class Load {
    @Option(
        names = "--threads",
        split = ",",
        converter = Positive.class,
        description = "Client threads.")
    public List<Integer> threads;

    @Option(names = "--reads", paramLabel = "KIND", split = ",", description = "Kinds of reads.")
    public List<String> reads;

    /** Rows of a multi-get, and of a scan. */
    public int batch = 50;

    public int scanRows = 1000;

    public Load(List<Integer> threads, String... reads) {
      this.threads = threads;
      this.reads = List.of(reads);
    }
  }

  /** The size of a table and of its RegionServer. */
  public static final class TableSize {
    @Option(
        names = "--value-bytes",
        converter = Positive.class,
        description = "Bytes of each value.")
    public int valueBytes = 1000;

    @Option(
        names = "--table",
        paramLabel = "MB",
        converter = Positive.class,
        description = "Size of a table.")
    public int table;

    @Option(names = "--heap", paramLabel = "MB", description = "Heap of the RegionServer.")
    public int heap;

    public TableSize(int table, int heap) {
      this.table = table;
      this.heap = heap;
    }
  }
}
