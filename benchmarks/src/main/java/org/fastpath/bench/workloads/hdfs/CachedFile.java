package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.LockedFiles;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.cluster.DaemonOptions;

/**
 * A {@link DoubleFile} in the locked memory of a cluster's only DataNode. Each client that reads it
 * has a JVM of its own.
 */
public final class CachedFile {
  /** Keys in the configuration of all clients: the file, its length, and the DataNode's process. */
  static final String PATH = "bench.path";

  static final String BYTES = "bench.bytes";
  static final String DATA_NODE = "bench.datanode";

  /** Additional locked bytes, because the DataNode rounds up to pages. */
  private static final long SLACK = 16L << 20;

  private static final Path FILE = new Path("/doubles");
  private final Cluster cluster;
  private final int megabytes;

  /** Writes the file, and waits until the DataNode has locked it. */
  public CachedFile(Run run, Cluster cluster, int megabytes, int blockMegabytes)
      throws IOException {
    this.cluster = cluster;
    this.megabytes = megabytes;
    LockedFiles locked = new LockedFiles(cluster.files());
    Console.Step step = run.step("bytes", "write the file");
    long block = (long) blockMegabytes << 20;
    try (OutputStream out = cluster.files().create(FILE, true, 1 << 20, (short) 1, block)) {
      content().write(out, step::update);
    }
    step.done(content().bytes());
    locked.await(locked.ask(FILE), run.step("bytes", "cache the file"));
  }

  private DoubleFile content() {
    return new DoubleFile((long) megabytes << 20);
  }

  /** Returns the locked memory that a DataNode needs for a file. */
  public static long lockedBytes(int megabytes) {
    return ((long) megabytes << 20) + SLACK;
  }

  /** Runs a probe with a variant of the HDFS client; returns its figures. */
  Lines read(
      Variant variant,
      Class<? extends Lines.Probe> probe,
      Map<String, String> settings,
      Consumer<DaemonOptions> process,
      Console.Step step)
      throws IOException {
    Params all = new Params().with(PATH, FILE).with(BYTES, content().bytes());
    all.with(DATA_NODE, cluster.dataNode().pid()).putAll(settings);
    all.putAll(variant.conf());
    Layout layout = Layout.here();
    Lines lines = new Lines();
    int exit =
        cluster
            .processes()
            .runClient(
                Lines.class.getName(),
                Lines.arguments(probe, Map.of()),
                options -> {
                  options
                      .prependToClasspath(variant.jars().stream().map(layout::jar).toList())
                      .prependToClasspath(layout.classPath())
                      .conf(all)
                      .jvmFlags("-XX:MaxDirectMemorySize=" + (megabytes + 64) + "m");
                  process.accept(options);
                },
                line -> lines.hear(line, step));
    if (exit != 0) {
      throw new IOException(
          "the client " + variant.id() + " failed: see " + cluster.dataNode().log().getParent());
    }
    return lines;
  }
}
