package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.fastpath.cluster.CpuTime;

/**
 * Runs those {@link TextJob}s that can read in one {@link ReadMode}, in this JVM, with as many map
 * tasks at once as is said. What a job counted must be the same each time, and {@link
 * TextJob#BYTECOUNT} must have counted every byte.
 */
final class JobsProbe implements ClientProbe {
  static final String TASKS = "tasks";
  static final String JOBS = "jobs";
  static final String RUNS = "runs";

  static final String TIME = "mapreduce.time";
  static final String RATE = "mapreduce.rate";
  static final String CPU = "mapreduce.cpu";

  private static final double NANOS = 1e9;
  private static final double GIGABYTE = 1e9;

  @Override
  public void measure(Configuration conf, Params params, Sink sink) throws IOException {
    ReadMode mode = ReadMode.of(params.text(MODE));
    conf.set("mapreduce.framework.name", "local");
    conf.set("mapreduce.local.map.tasks.maximum", params.text(TASKS));
    // Whoever waits for a job asks every five seconds otherwise.
    conf.set("mapreduce.client.completion.pollinterval", "10");
    conf.set(BlockInputFormat.MODE, mode.id());
    try (FileSystem files = FileSystem.get(conf)) {
      mode.prepare(files);
      List<TextJob> jobs =
          Arrays.stream(params.text(JOBS).split(","))
              .map(TextJob::of)
              .filter(job -> job.modes().contains(mode))
              .toList();
      for (int i = 0; i < jobs.size(); i++) {
        new Runs(conf, files, params, sink, mode, jobs.get(i)).run();
        sink.progress(i + 1, jobs.size());
      }
    }
  }

  /** One job, again and again. */
  private static final class Runs {
    private final Configuration conf;
    private final FileSystem files;
    private final Params params;
    private final Sink sink;
    private final ReadMode mode;
    private final TextJob job;
    private final long bytes;
    private long counted = -1;

    Runs(
        Configuration conf,
        FileSystem files,
        Params params,
        Sink sink,
        ReadMode mode,
        TextJob job) {
      this.conf = conf;
      this.files = files;
      this.params = params;
      this.sink = sink;
      this.mode = mode;
      this.job = job;
      this.bytes = params.bytes(BYTES);
    }

    void run() throws IOException {
      for (int i = 0; i < params.number(WARM_UPS); i++) {
        once();
      }
      for (int i = 0; i < params.number(RUNS); i++) {
        measure();
      }
    }

    private void measure() throws IOException {
      long cpu = cpuNanos();
      long begin = System.nanoTime();
      once();
      double seconds = (System.nanoTime() - begin) / NANOS;
      sink.figure(TIME, job.label(), "s", seconds);
      sink.figure(RATE, job.label(), "GB/s", bytes / GIGABYTE / seconds);
      sink.figure(CPU, job.label(), "s", (cpuNanos() - cpu) / NANOS);
    }

    /** What the client has used and, where it reads through it, the DataNode. */
    private long cpuNanos() throws IOException {
      long client = OwnCpu.nanos();
      return mode.throughDataNode()
          ? client + CpuTime.ofProcess(params.bytes(DATA_NODE)).totalNanos()
          : client;
    }

    private void once() throws IOException {
      Path output = new Path("/" + job.label() + "-" + ProcessHandle.current().pid());
      long sum = job.run(conf, new Path(params.text(PATH)), output);
      files.delete(output, true);
      long expected = job == TextJob.BYTECOUNT ? bytes : counted < 0 ? sum : counted;
      if (sum != expected || sum == 0) {
        throw new IOException(job.label() + " counted " + sum + ", not " + expected);
      }
      counted = sum;
    }
  }
}
