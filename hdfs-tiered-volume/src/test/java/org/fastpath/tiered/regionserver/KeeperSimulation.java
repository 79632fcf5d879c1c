package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.FakeFileSystem;
import org.fastpath.tiered.FakeNameNode;
import org.fastpath.tiered.datanode.move.MoveRequested;

/**
 * The real classes of the keeper in a simulated cluster. The simulation has a NameNode that counts
 * its calls, reports of RegionServers, and a mover with a limit of files per round. Time is its
 * own, and the clock of the HMaster may be wrong.
 */
final class KeeperSimulation implements AutoCloseable {
  static final long PERIOD_MILLIS = 60_000;

  private static final int SERVERS = 300;
  private static final int MAX_MOVES = 500;
  private static final long GIVE_UP_MILLIS = TimeUnit.MINUTES.toMillis(5);

  private final FakeNameNode nameNode;
  private final DistributedFileSystem fs;
  private final Queue queue = new Queue();
  private final KeeperMetrics metrics = new KeeperMetrics();
  private final RegionReads reads = new RegionReads(10 * PERIOD_MILLIS);
  private final KeeperOptions options;
  private final TierKeeping keeping;
  private final List<TableDescriptor> tables = new ArrayList<>();
  private final List<Region> regions = new ArrayList<>();
  private long nowMillis = TimeUnit.DAYS.toMillis(20_000);
  private long lateNanos;
  private long wrongMillis;
  private long files;
  private long longestRoundMillis;

  /** A region with the reports of its server. */
  static final class Region {
    private final RegionInfo info;
    private final String directory;
    private int storeFiles;
    private long sequenceId;

    Region(RegionInfo info, String directory) {
      this.info = info;
      this.directory = directory;
    }

    String directory() {
      return directory;
    }
  }

  /** A queue whose requests a mover takes in their order; a full tier keeps them waiting. */
  private final class Queue implements TierKeeping.Moves {
    private final Map<Long, MoveRequested> requests = new HashMap<>();
    private final List<Long> inOrder = new ArrayList<>();
    private final Set<String> tables = new HashSet<>();

    @Override
    public Map<Long, MoveRequested> requested() {
      return new HashMap<>(requests);
    }

    @Override
    public void submit(org.apache.hadoop.fs.Path file) throws IOException {
      nameNode.count("submit", 4);
      long inode = fs.getClient().getFileInfo(file.toUri().getPath()).getFileId();
      requests.put(inode, new MoveRequested(true, false, clockMillis()));
      inOrder.add(inode);
      tables.add(file.toUri().getPath().split("/")[4]);
    }

    @Override
    public int removeGone(int most) {
      return 0;
    }

    void move() {
      int moved = 0;
      for (Long inode : List.copyOf(inOrder)) {
        MoveRequested request = requests.get(inode);
        if (moved < MAX_MOVES && nameNode.place(inode)) {
          moved++;
          requests.remove(inode);
          inOrder.remove(inode);
        } else if (moved < MAX_MOVES) {
          boolean open = clockMillis() - request.madeMillis() < GIVE_UP_MILLIS;
          requests.put(inode, new MoveRequested(open, true, request.madeMillis()));
          if (!open) {
            inOrder.remove(inode);
          }
        }
      }
    }
  }

  KeeperSimulation(String name, Configuration keys) throws IOException {
    nameNode = new FakeNameNode(() -> nowMillis);
    nameNode.addDirectory("/hbase/data/default");
    Configuration conf = FakeFileSystem.conf(name, nameNode);
    keys.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
    fs = (DistributedFileSystem) FileSystem.newInstance(conf);
    options = KeeperOptions.of(conf);
    CallBudget budget =
        new CallBudget(
            options.callsPerSecond(),
            options.periodMillis(),
            () -> TimeUnit.MILLISECONDS.toNanos(nowMillis) + lateNanos,
            this::pass);
    TierSurvey survey = new TierSurvey(fs, conf, reads, budget, this::history, this::clockMillis);
    keeping =
        new TierKeeping(
            fs, queue, options, metrics, budget, survey, this::clockMillis, () -> false);
  }

  private long clockMillis() {
    return nowMillis + wrongMillis;
  }

  /** Has the HMaster's clock be wrong by that time from now on. */
  void setClockWrongBy(long millis) {
    wrongMillis = millis;
  }

  private void pass(long nanos) {
    lateNanos += nanos;
    nowMillis += TimeUnit.NANOSECONDS.toMillis(lateNanos);
    lateNanos %= TimeUnit.MILLISECONDS.toNanos(1);
  }

  /**
   * The first letter of a file's name is its history: flushed, or compacted by a major compaction.
   */
  private StoreFileHistory history(org.apache.hadoop.fs.Path file) {
    nameNode.count("open", 2);
    boolean flushed = file.getName().startsWith("f");
    return new StoreFileHistory(
        flushed ? StoreFileHistory.Writer.FLUSH : StoreFileHistory.Writer.MAJOR_COMPACTION,
        nowMillis);
  }

  FakeNameNode nameNode() {
    return nameNode;
  }

  /** Returns a table with rules as given, and regions with so many files in each family. */
  List<Region> addTable(
      String name, int regionCount, int families, int filesPerStore, String... rules) {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    for (int i = 0; i < families; i++) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of("f" + i));
    }
    for (int i = 0; i < rules.length; i += 2) {
      builder.setValue(rules[i], rules[i + 1]);
    }
    tables.add(builder.build());
    List<Region> added = new ArrayList<>();
    for (int i = 0; i < regionCount; i++) {
      RegionInfo info =
          RegionInfoBuilder.newBuilder(table)
              .setStartKey(new byte[] {(byte) (i >> 8), (byte) i})
              .build();
      Region region = new Region(info, "/hbase/data/default/" + name + "/" + info.getEncodedName());
      for (int family = 0; family < families; family++) {
        for (int file = 0; file < filesPerStore; file++) {
          addFile(region, family, false, StorageType.DISK);
        }
      }
      added.add(region);
    }
    regions.addAll(added);
    return added;
  }

  /** A store file, as its region's next report tells. */
  void addFile(Region region, int family, boolean flushed, StorageType type) {
    region.storeFiles++;
    region.sequenceId++;
    // As HBase names them.
    String name = (flushed ? "f" : "a") + String.format("%031x", files++);
    nameNode.addFile(region.directory + "/f" + family + "/" + name, type);
  }

  /** A change of the region's files that leaves none, as its next report tells. */
  void change(Region region) {
    region.sequenceId++;
  }

  /** Archives one file in each of so many regions of a table; returns their directories. */
  List<String> addArchived(String table, int regionCount) {
    List<String> added = new ArrayList<>();
    for (int i = 0; i < regionCount; i++) {
      String region = String.format("/hbase/archive/data/default/%s/%032x", table, i);
      nameNode.addFile(region + "/f0/a" + String.format("%031x", files++), StorageType.DISK);
      added.add(region);
    }
    return added;
  }

  /** Has all files of a region's family be erasure-coded. */
  void code(Region region, int family) throws IOException {
    String store = region.directory + "/f" + family;
    for (FileStatus file : fs.listStatus(new org.apache.hadoop.fs.Path(store))) {
      nameNode.code(store + "/" + file.getPath().getName());
    }
  }

  /** So many rounds, each after a pause. */
  void rounds(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      nowMillis += options.periodMillis();
      report();
      long begin = nowMillis;
      keeping.round(tables);
      longestRoundMillis = Math.max(longestRoundMillis, nowMillis - begin);
      queue.move();
    }
  }

  private void report() {
    Map<ServerName, ServerMetrics> servers = new HashMap<>();
    List<List<RegionMetrics>> byServer = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      byServer.add(new ArrayList<>());
    }
    for (int i = 0; i < regions.size(); i++) {
      Region region = regions.get(i);
      byServer
          .get(i % SERVERS)
          .add(
              RegionMetricsBuilder.newBuilder(region.info.getRegionName())
                  .setStoreFileCount(region.storeFiles)
                  .setCompletedSequenceId(region.sequenceId)
                  .build());
    }
    for (int i = 0; i < SERVERS; i++) {
      ServerName server = ServerName.valueOf("server" + i, 1, 1);
      servers.put(
          server,
          ServerMetricsBuilder.newBuilder(server)
              .setReportTimestamp(nowMillis)
              .setRegionMetrics(byServer.get(i))
              .build());
    }
    reads.update(ClusterMetricsBuilder.newBuilder().setLiveServerMetrics(servers).build());
  }

  long nowMillis() {
    return nowMillis;
  }

  long longestRoundMillis() {
    return longestRoundMillis;
  }

  /** Tables of which a move was requested at least once. */
  Set<String> requestedTables() {
    return Set.copyOf(queue.tables);
  }

  long openRequests() {
    return queue.requests.values().stream().filter(MoveRequested::isOpen).count();
  }

  /** Files of tables that are not where they should be. */
  long misplaced(String table) {
    return nameNode.misplaced("/hbase/data/default/" + table);
  }

  @Override
  public void close() throws IOException {
    metrics.close();
    fs.close();
  }
}
