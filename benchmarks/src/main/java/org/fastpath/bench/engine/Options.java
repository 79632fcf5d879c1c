package org.fastpath.bench.engine;

import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that experiments share, as mixins, and converters that refuse what means nothing. */
public final class Options {
  private Options() {}

  /** A number from 1 on. */
  public static final class Positive implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return atLeast(1, text);
    }
  }

  /** A number from 0 on. */
  public static final class NotNegative implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return atLeast(0, text);
    }
  }

  private static int atLeast(int least, String text) {
    if (!text.matches("-?\\d{1,9}") || Integer.parseInt(text) < least) {
      throw new TypeConversionException(text + " is no number: at least " + least + " is needed");
    }
    return Integer.parseInt(text);
  }

  /** How often each side is measured. */
  public static final class Rounds {
    @Option(
        names = "--rounds",
        paramLabel = "N",
        converter = Positive.class,
        description = "How often each side is measured.")
    public int rounds;

    /** The default. */
    public Rounds(int rounds) {
      this.rounds = rounds;
    }
  }

  /** How long each side is measured in a round. */
  public static final class Times {
    @Option(
        names = "--warm-up",
        paramLabel = "SECONDS",
        converter = NotNegative.class,
        description = "How long is not measured.")
    public int warmUp;

    @Option(
        names = "--seconds",
        paramLabel = "N",
        converter = Positive.class,
        description = "How long is measured in a round.")
    public int seconds;

    /** Defaults: seconds that are not measured, and seconds that are. */
    public Times(int warmUp, int seconds) {
      this.warmUp = warmUp;
      this.seconds = seconds;
    }
  }

  /** What clients of a table do. */
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

    /** Defaults: numbers of client threads, and the kinds of reads by their names. */
    public Load(List<Integer> threads, String... reads) {
      this.threads = threads;
      this.reads = List.of(reads);
    }
  }

  /** What a table holds, and who serves it. */
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

    /** Defaults, in megabytes. */
    public TableSize(int table, int heap) {
      this.table = table;
      this.heap = heap;
    }
  }
}
