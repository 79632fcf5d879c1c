package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** What a client of HDFS measures in a JVM of its own; {@link ClientFork} starts it. */
interface ClientProbe {
  /** What a line that carries a figure begins with. */
  String FIGURE = "figure";

  /** What a line begins with that tells how much is done, of how much. */
  String PROGRESS = "progress";

  /** Separates the parts of such lines. */
  String SEPARATOR = "\t";

  /** A parameter: the {@link ReadMode}. */
  String MODE = "mode";

  /** A parameter: the file. */
  String PATH = "path";

  /** A parameter: its length. */
  String BYTES = "bytes";

  /** A parameter: how often the work is done before it is measured. */
  String WARM_UPS = "warm-ups";

  /** A parameter: the process of the DataNode. */
  String DATA_NODE = "datanode";

  /** Where figures go, and how far it is. */
  interface Sink {
    /**
     * Adds a sample.
     *
     * @param variant which of the ways in which the probe does its work; the experiment knows what
     *     parameter that is
     */
    void figure(String name, String variant, String unit, double value);

    /** Some of the work is done. */
    void progress(long done, long total);
  }

  /** Measures. */
  void measure(Configuration conf, Params params, Sink sink) throws IOException;

  /**
   * What is asked of it.
   *
   * @param values by name
   */
  record Params(Map<String, String> values) {
    String text(String name) {
      String value = values.get(name);
      if (value == null) {
        throw new IllegalArgumentException("no " + name + " among " + values);
      }
      return value;
    }

    int number(String name) {
      return Integer.parseInt(text(name));
    }

    long bytes(String name) {
      return Long.parseLong(text(name));
    }
  }
}
