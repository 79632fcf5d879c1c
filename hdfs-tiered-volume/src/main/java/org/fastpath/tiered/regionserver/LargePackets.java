package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.FSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.Values;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates store files through a client of HDFS with large packets.
 *
 * <p>A writer and each DataNode wake threads, receive, write and acknowledge once per packet. With
 * packets of 508 KiB instead of 64 KiB they do so an eighth as often. HDFS knows only one size for
 * all files of a client. A WAL that is a plain file of HDFS must have small packets, because each
 * sync allocates a whole one. So store files have a client of their own in the RegionServer. It has
 * about as many bytes in flight as HBase's, and at least four packets. It renews its lease with one
 * more call to the NameNode every 30 s.
 *
 * <p>HBase's own client creates the files in some cases:
 *
 * <ul>
 *   <li>Its packets are as large already, or have another size than 64 KiB, and the site does not
 *       set ours.
 *   <li>The files are not in HDFS, or a mount table or another class is between.
 *   <li>Clients read from observer NameNodes, which may not know yet a file of another client.
 *   <li>The second client could not be opened, or is closed.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class LargePackets {
  /** The bytes of a packet. It is a key of the site, because it is the same for all stores. */
  static final String SIZE = TierRules.PREFIX + "packet-size";

  /**
   * The array of such a packet is less than half a megabyte, so it is not humongous in the smallest
   * regions of G1.
   */
  private static final String DEFAULT_SIZE = "508k";

  private static final int MAX_SIZE = 4 << 20;
  private static final int MIN_IN_FLIGHT = 4;

  /** A literal name, because not all versions of Hadoop have a constant for it. */
  private static final String OBSERVERS_BEHIND_ROUTERS = "dfs.client.rbf.observer.read.enable";

  private static final String OUR_PACKAGES = "org.fastpath.";
  private static final Logger LOG = LoggerFactory.getLogger(LargePackets.class);
  private static final AtomicBoolean CHECKED = new AtomicBoolean();

  /** Opened clients by HBase's; empty where HBase's serves. */
  private static final Map<FileSystem, Optional<HFileSystem>> CLIENTS = new WeakHashMap<>();

  private LargePackets() {}

  /**
   * Returns the bytes of a packet.
   *
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  static int size(Configuration site) {
    String unit = "bytes, or with the suffix k or m,";
    return (int) Values.whole(site, SIZE, DEFAULT_SIZE, 0, MAX_SIZE, unit);
  }

  /** Logs a wrong size once in this process. */
  static void check(Configuration site) {
    if (CHECKED.compareAndSet(false, true)) {
      try {
        size(site);
      } catch (InvalidValueException e) {
        LOG.error("Store files are written in packets of HBase's size: {}", e.getMessage());
      }
    }
  }

  /**
   * Returns the client for store files; empty if HBase's own shall create them. The first call for
   * a file system opens the client, which calls no server.
   *
   * @param stock HBase's file system
   */
  static synchronized Optional<HFileSystem> client(FileSystem stock) {
    FileSystem files = PlacingFileSystem.backing(stock);
    Optional<HFileSystem> known = CLIENTS.get(files);
    if (known == null) {
      known = open(files);
      CLIENTS.put(files, known);
    }
    return known;
  }

  private static Optional<HFileSystem> open(FileSystem files) {
    if (!isHdfs(files) || readsFromObservers(files)) {
      return Optional.empty();
    }
    try {
      Configuration conf = new Configuration(files.getConf());
      if (!enlarge(conf)) {
        return Optional.empty();
      }
      // HDFS's shutdown hook closes what its cache made, maybe before HBase has closed its regions.
      DistributedFileSystem own = new DistributedFileSystem();
      User.runAsLoginUser(
          () -> {
            own.initialize(files.getUri(), conf);
            return own;
          });
      return Optional.of(new HFileSystem(own));
    } catch (InvalidValueException e) {
      // Reported at the start.
      return Optional.empty();
    } catch (IOException | RuntimeException | LinkageError e) {
      TierMetrics.noLargePackets(files.getUri(), e);
      return Optional.empty();
    }
  }

  /** Returns whether a second client finds the same files by the same paths. */
  private static boolean isHdfs(FileSystem files) {
    return files instanceof DistributedFileSystem
        && (files.getClass() == DistributedFileSystem.class
            || files.getClass().getName().startsWith(OUR_PACKAGES));
  }

  private static boolean readsFromObservers(FileSystem files) {
    Configuration conf = files.getConf();
    String key = HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX;
    return conf.getBoolean(OBSERVERS_BEHIND_ROUTERS, false)
        || conf.get(key + "." + files.getUri().getHost(), "").contains("ObserverRead");
  }

  /** Sets the size if it is larger than the present one. Returns whether it is. */
  private static boolean enlarge(Configuration conf) {
    String sizeKey = HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY;
    int usual = HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_DEFAULT;
    int stock = conf.getInt(sizeKey, usual);
    int size = size(conf);
    if (size <= stock || stock != usual && conf.get(SIZE) == null) {
      return false;
    }
    String packetsKey = HdfsClientConfigKeys.Write.MAX_PACKETS_IN_FLIGHT_KEY;
    long packets =
        conf.getInt(packetsKey, HdfsClientConfigKeys.Write.MAX_PACKETS_IN_FLIGHT_DEFAULT);
    conf.setInt(sizeKey, size);
    conf.setInt(packetsKey, (int) Math.max(MIN_IN_FLIGHT, packets * stock / size));
    return true;
  }

  /**
   * Creates a file like HBase does, with large packets if possible. If HDFS refuses the file, it
   * would refuse it from HBase's client as well, so the error is the caller's.
   *
   * @param store the store's configuration
   * @param favoredNodes preferred DataNodes, null if any
   */
  static FSDataOutputStream create(
      Configuration store,
      FileSystem stock,
      Path file,
      FsPermission permission,
      InetSocketAddress[] favoredNodes)
      throws IOException {
    Optional<HFileSystem> client = client(stock);
    if (client.isPresent()) {
      if (isOpen(client.get())) {
        FSDataOutputStream out =
            FSUtils.create(store, client.get(), file, permission, favoredNodes);
        TierMetrics.largePackets();
        return out;
      }
      TierMetrics.noLargePackets(stock.getUri(), new IOException("The client is closed"));
    }
    return FSUtils.create(store, stock, file, permission, favoredNodes);
  }

  private static boolean isOpen(HFileSystem client) {
    return client.getRawFileSystem() instanceof DistributedFileSystem hdfs
        && hdfs.getClient().isClientRunning();
  }
}
