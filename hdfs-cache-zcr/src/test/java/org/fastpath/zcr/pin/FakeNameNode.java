package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveStats;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolStats;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.security.AccessControlException;

/**
 * One cache pool in memory, and files that have a length. Does not look at the limit, so that a
 * test sees who asks for more; remembers the most that was ever asked for.
 */
final class FakeNameNode extends DistributedFileSystem {
  private final CachePoolInfo pool;
  private final Map<String, Long> lengths = new HashMap<>();
  private final Map<Long, CacheDirectiveInfo> directives = new TreeMap<>();
  private long lastId;
  private long most;
  private int changes;

  FakeNameNode(String pool, long limit) {
    this.pool = new CachePoolInfo(pool).setLimit(limit);
  }

  void file(String path, long length) {
    lengths.put(path, length);
  }

  /** Bytes that the pool's directives ask for now. */
  long needed() {
    return directives.values().stream().mapToLong(this::bytes).sum();
  }

  /** The most that they ever did. */
  long mostNeeded() {
    return most;
  }

  /** Directives added and removed. */
  int changes() {
    return changes;
  }

  List<String> pinned() {
    return directives.values().stream().map(info -> path(info.getPath())).sorted().toList();
  }

  @Override
  public RemoteIterator<CachePoolEntry> listCachePools() {
    CachePoolStats stats =
        new CachePoolStats.Builder().setBytesNeeded(needed()).setBytesCached(needed()).build();
    return remote(List.of(new CachePoolEntry(pool, stats)).iterator());
  }

  @Override
  public RemoteIterator<CacheDirectiveEntry> listCacheDirectives(CacheDirectiveInfo filter) {
    List<CacheDirectiveEntry> entries = new ArrayList<>();
    for (CacheDirectiveInfo info : directives.values()) {
      long bytes = bytes(info);
      CacheDirectiveStats stats =
          new CacheDirectiveStats.Builder().setBytesNeeded(bytes).setBytesCached(bytes).build();
      entries.add(new CacheDirectiveEntry(info, stats));
    }
    return remote(entries.iterator());
  }

  @Override
  public long addCacheDirective(CacheDirectiveInfo info) {
    long id = ++lastId;
    CacheDirectiveInfo.Expiration expiration =
        CacheDirectiveInfo.Expiration.newAbsolute(info.getExpiration().getAbsoluteMillis());
    directives.put(
        id, new CacheDirectiveInfo.Builder(info).setId(id).setExpiration(expiration).build());
    most = Math.max(most, needed());
    changes++;
    return id;
  }

  @Override
  public void modifyCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags) {
    throw new UnsupportedOperationException("no lease of these tests is half over");
  }

  @Override
  public void removeCacheDirective(long id) throws IOException {
    if (directives.remove(id) == null) {
      throw new InvalidRequestException("No directive with ID " + id);
    }
    changes++;
  }

  @Override
  public DatanodeInfo[] getDataNodeStats(DatanodeReportType type) throws IOException {
    throw new AccessControlException("superusers only");
  }

  private long bytes(CacheDirectiveInfo info) {
    return lengths.getOrDefault(path(info.getPath()), 0L) * info.getReplication();
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
