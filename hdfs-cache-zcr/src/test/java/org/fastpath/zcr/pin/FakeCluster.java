package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * RegionServers that report to a coordinator, with regions, files and reads as a test wants them,
 * before a {@link FakeNameNode}. Messages go through their bytes. Time passes as a test says.
 */
final class FakeCluster implements AutoCloseable {
  final FakeNameNode nameNode;
  private final AtomicLong micros = new AtomicLong(1_000_000_000_000L);
  private final PinOptions options;
  private final PinMetrics metrics = new PinMetrics();
  private final Map<String, Server> servers = new TreeMap<>();
  private final Map<String, Server> owners = new HashMap<>();
  private PinBoard board;
  private PinCoordinator coordinator;
  private int names;

  FakeCluster(long limit, Configuration conf) {
    options = PinOptions.of(conf);
    nameNode = new FakeNameNode(options.pool(), limit, micros);
    elect();
  }

  /** A RegionServer. */
  final class Server {
    final String name = "server" + names++;
    private final Map<String, OpenFile> files = new LinkedHashMap<>();
    private final Map<String, Set<String>> readersByRegion = new HashMap<>();
    private HeatTracker tracker;
    private boolean silent;

    private Server() {
      restart();
      servers.put(name, this);
    }

    void restart() {
      tracker = new HeatTracker(name, options.halfLifeMillis());
    }

    /** It neither reports nor dies, as one does that pins by itself. */
    void silent(boolean isSilent) {
      silent = isSilent;
    }

    void die() {
      servers.remove(name);
    }

    void open(String region) {
      readersByRegion.computeIfAbsent(region, r -> new TreeSet<>());
      owners.put(region, this);
    }

    void open(String region, String file, long length, PinPolicy policy) {
      open(region, path(region, file), path(region, file), length, policy, false);
    }

    void open(
        String region,
        String path,
        String reader,
        long length,
        PinPolicy policy,
        boolean erasureCoded) {
      open(region);
      readersByRegion.get(region).add(reader);
      nameNode.file(path, length);
      files.put(reader, new OpenFile(path, length, reader, region, policy, 0, erasureCoded));
    }

    void read(String reader, long bytes) {
      files.computeIfPresent(
          reader,
          (name, old) ->
              new OpenFile(
                  old.path(),
                  old.length(),
                  old.reader(),
                  old.region(),
                  old.policy(),
                  old.bytesRead() + bytes,
                  old.erasureCoded()));
    }

    /** Reads so many bytes of each file of a region. */
    void readRegion(String region, long bytes) {
      readersByRegion.get(region).forEach(reader -> read(reader, bytes));
    }

    /** Paths by which a region reads its files. */
    Set<String> readers(String region) {
      return Set.copyOf(readersByRegion.get(region));
    }

    OpenFile file(String reader) {
      return files.get(reader);
    }

    List<OpenFile> files() {
      return List.copyOf(files.values());
    }

    Set<String> regions() {
      return Set.copyOf(readersByRegion.keySet());
    }

    void closeFile(String reader) {
      OpenFile file = files.remove(reader);
      readersByRegion.get(file.region()).remove(reader);
    }

    void closeRegion(String region) {
      readersByRegion.remove(region).forEach(files::remove);
      owners.remove(region, this);
    }

    void move(String region, Server to) {
      List<OpenFile> moved = readersByRegion.get(region).stream().map(files::get).toList();
      closeRegion(region);
      to.open(region);
      for (OpenFile file : moved) {
        to.open(
            region, file.path(), file.reader(), file.length(), file.policy(), file.erasureCoded());
      }
    }

    OpenFiles openFiles() {
      return new OpenFiles(regions(), files());
    }

    void report() throws IOException {
      byte[] report = tracker.report(openFiles(), now()).toBytes();
      byte[] reply = board.receive(HeatReport.of(report), now()).toBytes();
      tracker.received(PinReply.of(reply));
    }

    PinReport shown() {
      return tracker.shown();
    }

    boolean succeed(OpenFile output, OpenFile... inputs) throws IOException {
      nameNode.file(output.path(), output.length());
      OutputPinRequest succession = tracker.succeed(output, List.of(inputs), openFiles(), now());
      boolean pinned =
          succession != null && board.succeed(OutputPinRequest.of(succession.toBytes()), now());
      coordinator.carryOutUrgent();
      return pinned;
    }
  }

  static String path(String region, String file) {
    return "/hbase/data/default/table/" + region + "/family/" + file;
  }

  Server server() {
    return new Server();
  }

  List<Server> servers() {
    return new ArrayList<>(servers.values());
  }

  /** Returns the server that opened a region last. */
  Server owner(String region) {
    Server owner = owners.get(region);
    if (owner == null) {
      throw new IllegalStateException("no server has " + region);
    }
    return owner;
  }

  /** Another server becomes the coordinator, and knows nothing. */
  void elect() {
    board = new PinBoard(options);
    coordinator =
        new PinCoordinator(
            new CacheDirectives(nameNode, new Path("/hbase"), options),
            options,
            board,
            metrics,
            this::now);
  }

  long now() {
    return micros.get() / 1_000;
  }

  void pass(long millis) {
    micros.addAndGet(millis * 1_000);
  }

  void report() throws IOException {
    for (Server server : servers.values()) {
      if (!server.silent) {
        server.report();
      }
    }
  }

  /** Time passes, all servers report, and the coordinator makes a round. */
  void round() throws IOException {
    long next = now() + options.intervalMillis();
    report();
    coordinator.round(live());
    pass(Math.max(0, next - now()));
  }

  /** The same while no HMaster answers. */
  void roundWithoutMaster() throws IOException {
    report();
    coordinator.round(Set.of());
    pass(options.intervalMillis());
  }

  private Set<String> live() {
    return servers.keySet().stream().collect(Collectors.toSet());
  }

  void rounds(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      round();
    }
  }

  @Override
  public void close() {
    metrics.close();
  }
}
