package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo.Expiration;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveStats;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolStats;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.security.AccessControlException;

/**
 * One cache pool in memory, files that have a length, and a clock of its own. Does not look at the
 * limit, so that a test sees who asks for more; remembers the most that was ever asked for.
 *
 * <p>It counts calls and rescans like Hadoop 3.4.2's CacheManager. Every change requests a rescan.
 * A listing, or a change without FORCE, waits for it. Calls and rescans take their time on the
 * tests' clock.
 */
final class FakeNameNode extends DistributedFileSystem {
  private static final int PAGE = 100;
  private static final long MICROS_PER_CALL = 1_000;
  private static final long MICROS_PER_RESCAN = 100_000;

  private final CachePoolInfo pool;
  private final AtomicLong clockMicros;
  private final Map<String, Long> lengths = new HashMap<>();
  private final Map<Path, String> paths = new HashMap<>();
  private final Map<Long, CacheDirectiveInfo> directives = new TreeMap<>();
  private long skewMillis;
  private long needed;
  private long lockable = -1;
  private boolean failing;
  private boolean wantsRescan;
  private long lastId;
  private long most;
  private int changes;
  private int calls;
  private int rescans;
  private int renewals;
  private int expired;

  FakeNameNode(String pool, long limit, AtomicLong clockMicros) {
    this.pool = new CachePoolInfo(pool).setLimit(limit);
    this.clockMicros = clockMicros;
  }

  void file(String path, long length) {
    lengths.put(path, length);
  }

  /** The lead of its clock over the tests' clock. */
  void skew(long millis) {
    skewMillis = millis;
  }

  /** The bytes that live DataNodes may lock; unknown before this call. */
  void lockable(long bytes) {
    lockable = bytes;
  }

  void fail(boolean fails) {
    failing = fails;
  }

  private long time() {
    return clockMicros.get() / 1_000 + skewMillis;
  }

  /** Bytes that the pool's directives ask for now. */
  long needed() {
    return needed;
  }

  /** Returns the most that they ever did. */
  long mostNeeded() {
    return most;
  }

  /** Directives added and removed. */
  int changes() {
    return changes;
  }

  int calls() {
    return calls;
  }

  /** Those that somebody waited for, beside the NameNode's own every 30 s. */
  int rescans() {
    return rescans;
  }

  int renewals() {
    return renewals;
  }

  /** Directives whose lease was seen to have ended. */
  int expired() {
    return expired;
  }

  List<String> pinned() {
    return directives.values().stream()
        .filter(info -> !hasExpired(info))
        .map(info -> paths.get(info.getPath()))
        .sorted()
        .toList();
  }

  private boolean hasExpired(CacheDirectiveInfo info) {
    return info.getExpiration().getAbsoluteMillis() <= time();
  }

  private void call(boolean waits) throws IOException {
    if (failing) {
      throw new IOException("the NameNode does not answer");
    }
    calls++;
    clockMicros.addAndGet(MICROS_PER_CALL);
    if (waits && wantsRescan) {
      wantsRescan = false;
      rescans++;
      clockMicros.addAndGet(MICROS_PER_RESCAN);
      long now = 0;
      for (CacheDirectiveInfo info : directives.values()) {
        now += hasExpired(info) ? 0 : bytes(info);
      }
      needed = now;
    }
  }

  @Override
  public boolean upgradeStatus() throws IOException {
    call(false);
    return true;
  }

  @Override
  public RemoteIterator<CachePoolEntry> listCachePools() throws IOException {
    call(true);
    CachePoolStats stats =
        new CachePoolStats.Builder().setBytesNeeded(needed).setBytesCached(needed).build();
    return remote(List.of(new CachePoolEntry(pool, stats)).iterator());
  }

  @Override
  public RemoteIterator<CacheDirectiveEntry> listCacheDirectives(CacheDirectiveInfo filter)
      throws IOException {
    call(true);
    if (filter.getId() != null) {
      CacheDirectiveInfo info = directives.get(filter.getId());
      if (info == null) {
        throw new InvalidRequestException("Did not find requested id " + filter.getId());
      }
      return remote(List.of(entry(info)).iterator());
    }
    for (int page = 1; page <= directives.size() / PAGE; page++) {
      call(false);
    }
    List<CacheDirectiveEntry> entries = new ArrayList<>();
    directives.values().forEach(info -> entries.add(entry(info)));
    expired += (int) entries.stream().filter(entry -> entry.getStats().hasExpired()).count();
    return remote(entries.iterator());
  }

  private CacheDirectiveEntry entry(CacheDirectiveInfo info) {
    boolean over = hasExpired(info);
    long bytes = over ? 0 : bytes(info);
    CacheDirectiveStats stats =
        new CacheDirectiveStats.Builder()
            .setBytesNeeded(bytes)
            .setBytesCached(bytes)
            .setHasExpired(over)
            .build();
    return new CacheDirectiveEntry(info, stats);
  }

  @Override
  public long addCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags)
      throws IOException {
    call(!flags.contains(CacheFlag.FORCE));
    long id = ++lastId;
    paths.computeIfAbsent(info.getPath(), FakeNameNode::path);
    directives.put(
        id, new CacheDirectiveInfo.Builder(info).setId(id).setExpiration(end(info)).build());
    needed += bytes(info);
    most = Math.max(most, needed);
    changes++;
    wantsRescan = true;
    return id;
  }

  private Expiration end(CacheDirectiveInfo info) {
    return Expiration.newAbsolute(time() + info.getExpiration().getMillis());
  }

  @Override
  public void modifyCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags)
      throws IOException {
    call(!flags.contains(CacheFlag.FORCE));
    CacheDirectiveInfo old = directives.get(info.getId());
    if (old == null) {
      throw new InvalidRequestException("No directive with ID " + info.getId());
    }
    directives.put(
        info.getId(), new CacheDirectiveInfo.Builder(old).setExpiration(end(info)).build());
    renewals++;
    wantsRescan = true;
  }

  @Override
  public void removeCacheDirective(long id) throws IOException {
    call(false);
    CacheDirectiveInfo old = directives.remove(id);
    if (old == null) {
      throw new InvalidRequestException("No directive with ID " + id);
    }
    needed -= hasExpired(old) ? 0 : bytes(old);
    changes++;
    wantsRescan = true;
  }

  @Override
  public DatanodeInfo[] getDataNodeStats(DatanodeReportType type) throws IOException {
    call(false);
    if (lockable < 0) {
      throw new AccessControlException("superusers only");
    }
    DatanodeInfo node =
        new DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("127.0.0.1", "localhost", "uuid", 1, 2, 3, 4))
            .build();
    node.setCacheCapacity(lockable);
    return new DatanodeInfo[] {node};
  }

  private long bytes(CacheDirectiveInfo info) {
    return lengths.getOrDefault(paths.get(info.getPath()), 0L) * info.getReplication();
  }

  private static String path(Path path) {
    return Path.getPathWithoutSchemeAndAuthority(path).toString();
  }

  private static <T> RemoteIterator<T> remote(Iterator<T> iterator) {
    return new RemoteIterator<>() {
      @Override
      public boolean hasNext() {
        return iterator.hasNext();
      }

      @Override
      public T next() {
        return iterator.next();
      }
    };
  }
}
