package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.engine.Lines;
import org.fastpath.cluster.CpuTime;

/**
 * Sums a {@link DoubleFile}, pass by pass, in one {@link ReadMode}. The file stays open between
 * passes. An inexact sum fails the run.
 */
final class VecsumProbe implements HdfsClient.Probe {
  static final String CHUNK = "chunk";
  static final String WARM_UPS = "warm-ups";
  static final String PASSES = "passes";

  /** The throughput of the sum. */
  static final String RATE = "vecsum.rate";

  /** CPU time per gigabyte of the client and, if it sends the bytes, of the DataNode. */
  static final String CPU = "vecsum.cpu";

  /** The client's part. */
  private static final String CLIENT_CPU = CPU + ".client";

  /** The DataNode's part. */
  private static final String DATA_NODE_CPU = CPU + ".datanode";

  private static final double NANOS = 1e9;
  private static final double GIGABYTE = 1e9;

  @Override
  public void measure(Configuration conf, HdfsClient.Params params, Lines.Sink sink)
      throws IOException {
    ReadMode mode = ReadMode.of(params.text(HdfsClient.MODE));
    DoubleFile file = new DoubleFile(params.bytes(HdfsClient.BYTES));
    if (mode == ReadMode.MEMORY) {
      try (Chunks chunks = new MemoryChunks(file, params.number(CHUNK))) {
        new Run(mode, file, chunks, params, sink).loops();
      }
      return;
    }
    try (FileSystem files = FileSystem.newInstance(conf);
        FSDataInputStream in = mode.open(files, new Path(params.text(HdfsClient.PATH)))) {
      Chunks chunks = mode.chunks(in, 0, file.bytes(), params.number(CHUNK));
      new Run(mode, file, chunks, params, sink).loops();
      mode.confirm(in);
    }
  }

  /** One mode with all loops. */
  private static final class Run {
    private final ReadMode mode;
    private final DoubleFile file;
    private final Chunks chunks;
    private final long dataNode;
    private final int warmUps;
    private final int passes;
    private final Lines.Sink sink;
    private int done;

    Run(ReadMode mode, DoubleFile file, Chunks chunks, HdfsClient.Params params, Lines.Sink sink) {
      this.mode = mode;
      this.file = file;
      this.chunks = chunks;
      this.dataNode = params.bytes(HdfsClient.DATA_NODE);
      this.warmUps = params.number(WARM_UPS);
      this.passes = params.number(PASSES);
      this.sink = sink;
    }

    void loops() throws IOException {
      for (SumLoop loop : SumLoop.values()) {
        for (int i = 0; i < warmUps; i++) {
          pass(loop);
        }
        measure(loop);
      }
    }

    private void measure(SumLoop loop) throws IOException {
      long client = HdfsClient.cpuNanos();
      long server = CpuTime.ofProcess(dataNode).totalNanos();
      for (int i = 0; i < passes; i++) {
        long begin = System.nanoTime();
        pass(loop);
        double seconds = (System.nanoTime() - begin) / NANOS;
        sink.figure(RATE, loop.label(), "GB/s", gigabytes() / seconds);
      }
      client = HdfsClient.cpuNanos() - client;
      server = CpuTime.ofProcess(dataNode).totalNanos() - server;
      cpu(CLIENT_CPU, loop, client);
      if (mode.throughDataNode()) {
        cpu(DATA_NODE_CPU, loop, server);
        cpu(CPU, loop, client + server);
      } else {
        cpu(CPU, loop, client);
      }
    }

    private void cpu(String name, SumLoop loop, long nanos) {
      sink.figure(name, loop.label(), "s/GB", nanos / NANOS / (passes * gigabytes()));
    }

    private double gigabytes() {
      return file.bytes() / GIGABYTE;
    }

    private void pass(SumLoop loop) throws IOException {
      chunks.rewind();
      double sum = 0;
      for (ByteBuffer chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
        sum += loop.sum(chunk.asDoubleBuffer());
      }
      if (sum != file.sum()) {
        throw new IOException(mode.id() + " summed up to " + sum + ", not to " + file.sum());
      }
      done++;
      sink.progress(done, (long) SumLoop.values().length * (warmUps + passes));
    }
  }
}
