package org.fastpath.bench.engine;

import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Shared options of experiments, as mixins, and converters that refuse invalid numbers. */
public final class Options {
  private Options() {}

  /** Accepts a number from 1 on. */
  public static final class Positive implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return atLeast(1, text);
    }
  }

  /** Accepts a number from 0 on. */
  public static final class NotNegative implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return atLeast(0, text);
    }
  }

  private static int atLeast(int least, String text) {
    if (!text.matches("-?\\d{1,9}") || Integer.parseInt(text) < least) {
      throw new TypeConversionException(text + " is not a number of at least " + least);
    }
    return Integer.parseInt(text);
  }

  /** The number of rounds. */
  public static final class Rounds {
    @Option(
        names = "--rounds",
        paramLabel = "N",
        converter = Positive.class,
        description = "Number of measurements of each side.")
    public int rounds;

    /** Sets the default. */
    public Rounds(int rounds) {
      this.rounds = rounds;
    }
  }

  /** The times of a measurement in a round. */
  public static final class Times {
    @Option(
        names = "--warm-up",
        paramLabel = "SECONDS",
        converter = NotNegative.class,
        description = "Duration of the warm-up.")
    public int warmUp;

    @Option(
        names = "--seconds",
        paramLabel = "N",
        converter = Positive.class,
        description = "Duration of the measurement in a round.")
    public int seconds;

    /** Sets the defaults: seconds of warm-up and seconds of measurement. */
    public Times(int warmUp, int seconds) {
      this.warmUp = warmUp;
      this.seconds = seconds;
    }
  }

  /** The load of a table's clients. */
  public static final class Load {
    @Option(
        names = "--threads",
        paramLabel = "N",
        split = ",",
        converter = Positive.class,
        description = "Client threads.")
    public List<Integer> threads;

    @Option(names = "--reads", paramLabel = "KIND", split = ",", description = "Kinds of reads.")
    public List<String> reads;

    @Option(names = "--batch", paramLabel = "ROWS", description = "Rows of a multi-get.")
    public int batch = 50;

    @Option(names = "--scan-rows", paramLabel = "ROWS", description = "Rows of a scan.")
    public int scanRows = 1000;

    /** Sets the defaults: numbers of client threads, and the names of kinds of reads. */
    public Load(List<Integer> threads, String... reads) {
      this.threads = threads;
      this.reads = List.of(reads);
    }
  }

  /** The size of a table and of its RegionServer. */
  public static final class TableSize {
    @Option(
        names = "--value-bytes",
        paramLabel = "N",
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

    /** Sets the defaults in megabytes. */
    public TableSize(int table, int heap) {
      this.table = table;
      this.heap = heap;
    }
  }
}
