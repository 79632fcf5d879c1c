package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.fastpath.bench.engine.Lines;
import org.fastpath.cluster.CpuTime;

/**
 * Sums a {@link DoubleFile}, pass by pass, in one {@link ReadMode}. The file stays open between
 * passes. An inexact sum fails the run. The figures are the throughput, and CPU time per gigabyte
 * of the client and, if it sends the bytes, of the DataNode.
 */
final class VecsumProbe implements Lines.Probe {
  static final String MODE = "mode";
  static final String CHUNK = "chunk";
  static final String WARM_UPS = "warm-ups";
  static final String PASSES = "passes";

  private static final double NANOS = 1e9;
  private static final double GIGABYTE = 1e9;
  private ReadMode mode;
  private DoubleFile file;
  private ReadMode.Source source;
  private long dataNode;
  private int warmUps;
  private int passes;
  private Lines.Sink sink;
  private int done;

  @Override
  public void measure(Map<String, String> params, Lines.Sink figures) throws IOException {
    mode = ReadMode.valueOf(params.get(MODE));
    file = new DoubleFile(Long.parseLong(params.get(CachedFile.BYTES)));
    dataNode = Long.parseLong(params.get(CachedFile.DATA_NODE));
    warmUps = Integer.parseInt(params.get(WARM_UPS));
    passes = Integer.parseInt(params.get(PASSES));
    sink = figures;
    int chunk = Integer.parseInt(params.get(CHUNK));
    if (mode == ReadMode.MEMORY) {
      source = mode.source(null, file, chunk);
      measure();
      return;
    }
    try (FileSystem files = FileSystem.newInstance(new HdfsConfiguration());
        FSDataInputStream in = mode.open(files, new Path(params.get(CachedFile.PATH)))) {
      source = mode.source(in, file, chunk);
      measure();
      mode.confirm(in);
    }
  }

  private void measure() throws IOException {
    for (SumLoop loop : SumLoop.values()) {
      for (int i = 0; i < warmUps; i++) {
        pass(loop);
      }
      measure(loop);
    }
  }

  private void measure(SumLoop loop) throws IOException {
    long client = CachedFile.cpuNanos();
    long server = CpuTime.ofProcess(dataNode).totalNanos();
    for (int i = 0; i < passes; i++) {
      long begin = System.nanoTime();
      pass(loop);
      double seconds = (System.nanoTime() - begin) / NANOS;
      sink.figure("vecsum.rate", loop.label(), "GB/s", file.bytes() / GIGABYTE / seconds);
    }
    client = CachedFile.cpuNanos() - client;
    server = CpuTime.ofProcess(dataNode).totalNanos() - server;
    cpu("vecsum.cpu.client", loop, client);
    if (mode.throughDataNode()) {
      cpu("vecsum.cpu.datanode", loop, server);
      client += server;
    }
    cpu("vecsum.cpu", loop, client);
  }

  private void cpu(String name, SumLoop loop, long nanos) {
    double gigabytes = passes * file.bytes() / GIGABYTE;
    sink.figure(name, loop.label(), "s/GB", nanos / NANOS / gigabytes);
  }

  private void pass(SumLoop loop) throws IOException {
    double[] sum = {0};
    source.read(chunk -> sum[0] += loop.sum(chunk.asDoubleBuffer()));
    if (sum[0] != file.sum()) {
      throw new IOException(mode.id() + " summed up to " + sum[0] + ", not to " + file.sum());
    }
    done++;
    sink.progress(done, (long) SumLoop.values().length * (warmUps + passes));
  }
}
