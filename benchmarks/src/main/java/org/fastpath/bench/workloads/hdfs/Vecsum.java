package org.fastpath.bench.workloads.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.ByteBufferPool;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.cluster.CpuTime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The story's {@code vecsum}: a loop sums a file of doubles in the DataNode's locked memory. It
 * measures speed and CPU time in each {@link Mode} and with each {@link SumLoop}.
 *
 * <p>A client opens the file once. Its first passes do not count, because the JIT compiles and
 * mappings get their pages.
 */
@Command(
    name = "vecsum",
    header = "A file in the DataNode's cache, summed: TCP, short circuit and zero-copy",
    description =
        "Sums a file of doubles in the DataNode's memory by one thread: GB/s and CPU seconds per GB. Modes: tcp,"
            + " tcp-no-checksum, short-circuit, short-circuit-no-checksum, zero-copy. Mode zero-copy-remapped drops its"
            + " mappings; mode memory runs the same loop over memory of the process.")
@Experiment.Quick("--rounds 1 --size 128 --block 64 --warm-ups 1 --passes 2")
public final class Vecsum extends CachedFileExperiment {
  private static final String MODE = "bench.mode";
  private static final String CHUNK = "bench.chunk";
  private static final String WARM_UPS = "bench.warm-ups";
  private static final String PASSES = "bench.passes";

  @Option(names = "--chunk", paramLabel = "KB", converter = Options.Positive.class)
  private int chunk = 8192;

  @Option(names = "--warm-ups", description = "Passes before the measurement, with each loop.")
  private int warmUps = 3;

  @Option(names = "--passes", converter = Options.Positive.class, description = "Measured passes.")
  private int passes = 8;

  @Option(names = "--modes", split = ",", description = "Modes to measure.")
  private List<String> modes = Stream.of(Mode.values()).map(mode -> mode.client.id()).toList();

  /** Sets the default size. */
  public Vecsum() {
    super(1024);
  }

  @Override
  protected void check() {
    chosen();
  }

  private List<Variant> chosen() {
    List<Variant> all = Stream.of(Mode.values()).map(mode -> mode.client).toList();
    return chosen("mode", modes, all, Variant::id);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.results().candidate(Mode.ZERO_COPY.client.id());
    Map<String, String> params = new Params().with("size", (long) size << 20);
    Map<String, String> settings =
        new Params().with(CHUNK, chunk << 10).with(WARM_UPS, warmUps).with(PASSES, passes);
    measure(run, chosen(), Probe.class, settings, params, "loop");
  }

  /**
   * The ways from a file to the loop that reads it.
   *
   * <p>A short-circuit reader of a cached replica always skips checksums, because the DataNode has
   * verified them. {@link #SHORT_CIRCUIT} represents an uncached replica. Without the memory that
   * client and DataNode share, the client does not know that the replica is cached, and verifies.
   */
  private enum Mode {
    TCP(
        "tcp",
        "through the DataNode, checksums verified",
        Map.of("dfs.client.read.shortcircuit", "false")),
    TCP_UNVERIFIED(
        "tcp-no-checksum",
        "through the DataNode, no checksums",
        Map.of("dfs.client.read.shortcircuit", "false")),
    SHORT_CIRCUIT(
        "short-circuit",
        "from the block file, checksums verified as for a replica that is not cached",
        Map.of("dfs.short.circuit.shared.memory.watcher.interrupt.check.ms", "0")),
    SHORT_CIRCUIT_UNVERIFIED(
        "short-circuit-no-checksum", "from the block file, no checksums", Map.of()),
    ZERO_COPY("zero-copy", "from mappings of the block files, which are kept", Map.of()),
    ZERO_COPY_REMAPPED(
        "zero-copy-remapped",
        "from mappings that each pass makes anew, as for files larger than the cache of mappings",
        Map.of("dfs.client.mmap.cache.size", "1")),
    MEMORY("memory", "the same bytes in memory of the process: the ceiling", Map.of());

    /** The set-up of the client. */
    final Variant client;

    Mode(String id, String description, Map<String, String> conf) {
      client =
          new Variant(id, description, true, true, List.of(), conf, Map.of()).conf(MODE, name());
    }

    /** Returns whether the DataNode sends the bytes. */
    boolean throughDataNode() {
      return this == TCP || this == TCP_UNVERIFIED;
    }

    boolean mapped() {
      return this == ZERO_COPY || this == ZERO_COPY_REMAPPED;
    }
  }

  /**
   * Sums a {@link DoubleFile}, pass by pass, in one {@link Mode}. The file stays open between
   * passes. An inexact sum fails the run. The figures are the throughput, and CPU time per gigabyte
   * of the client and, if it sends the bytes, of the DataNode.
   */
  static final class Probe extends FileProbe {
    private static final double NANOS = 1e9;
    private static final double GIGABYTE = 1e9;
    private final Mode mode = Mode.valueOf(conf.get(MODE));
    private final int chunk = conf.getInt(CHUNK, 0);
    private final int warmUps = conf.getInt(WARM_UPS, 0);
    private final int passes = conf.getInt(PASSES, 0);
    private final List<ByteBuffer> memory = mode == Mode.MEMORY ? file.inMemory(chunk) : List.of();
    private final ByteBufferPool pool = new ElasticByteBufferPool();
    private final ByteBuffer buffer =
        ByteBuffer.allocateDirect(mode == Mode.MEMORY ? 0 : chunk).order(ByteOrder.nativeOrder());
    private int done;

    @Override
    boolean verifiesChecksums() {
      return mode == Mode.TCP || mode == Mode.SHORT_CIRCUIT;
    }

    @Override
    void measure() throws IOException {
      for (SumLoop loop : SumLoop.values()) {
        for (int i = 0; i < warmUps; i++) {
          pass(loop);
        }
        measure(loop);
      }
      confirm();
    }

    private void measure(SumLoop loop) throws IOException {
      long dataNode = conf.getLong(CachedFile.DATA_NODE, 0);
      long client = cpuNanos();
      long server = CpuTime.ofProcess(dataNode).totalNanos();
      for (int i = 0; i < passes; i++) {
        long begin = System.nanoTime();
        pass(loop);
        double seconds = (System.nanoTime() - begin) / NANOS;
        sink.figure("vecsum.rate", loop.label, "GB/s", file.bytes() / GIGABYTE / seconds);
      }
      client = cpuNanos() - client;
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
      sink.figure(name, loop.label, "s/GB", nanos / NANOS / gigabytes);
    }

    private void pass(SumLoop loop) throws IOException {
      double sum = 0;
      for (ByteBuffer piece : memory) {
        sum += loop.sum(piece.asDoubleBuffer());
      }
      in.seek(0);
      while (mode != Mode.MEMORY && in.getPos() < file.bytes()) {
        int length = (int) Math.min(chunk, file.bytes() - in.getPos());
        sum += mode.mapped() ? sumMapped(loop, length) : sumCopied(loop, length);
      }
      if (sum != file.sum()) {
        throw new IOException(mode.client.id() + " summed up to " + sum + ", not to " + file.sum());
      }
      done++;
      sink.progress(done, (long) SumLoop.values().length * (warmUps + passes));
    }

    private double sumCopied(SumLoop loop, int length) throws IOException {
      buffer.clear().limit(length);
      while (buffer.hasRemaining()) {
        if (in.read(buffer) < 0) {
          throw new EOFException("the file ends at " + in.getPos() + ", not at " + file.bytes());
        }
      }
      return loop.sum(buffer.flip().asDoubleBuffer());
    }

    /** Sums a slice of a mapping, which HDFS's own zero-copy call lends. */
    private double sumMapped(SumLoop loop, int length) throws IOException {
      ByteBuffer lent = in.read(pool, length, EnumSet.of(ReadOption.SKIP_CHECKSUMS));
      if (lent == null) {
        throw new EOFException("the file ends at " + in.getPos() + ", not at " + file.bytes());
      }
      try {
        return loop.sum(lent.slice().order(ByteOrder.nativeOrder()).asDoubleBuffer());
      } finally {
        // The mapping may go after the last release.
        in.releaseBuffer(lent);
      }
    }

    /**
     * Fails unless all bytes were read in this mode. Otherwise a missing libhadoop or a remote
     * replica would give figures under the wrong name.
     */
    private void confirm() throws IOException {
      ReadStatistics statistics = ((HdfsDataInputStream) in).getReadStatistics();
      long all = statistics.getTotalBytesRead();
      long mapped = statistics.getTotalZeroCopyBytesRead();
      long local = statistics.getTotalShortCircuitBytesRead();
      if (mapped != (mode.mapped() ? all : 0) || local != (mode.throughDataNode() ? 0 : all)) {
        throw new IOException(
            String.format(
                "%s: of %d bytes %d were read by short circuit and %d without a copy",
                mode.client.id(), all, local, mapped));
      }
    }
  }
}
