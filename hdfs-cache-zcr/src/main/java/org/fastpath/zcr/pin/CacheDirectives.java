package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.BlockLocation;
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
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The directives of one cache pool, at the NameNode. It changes only directives of the pool for
 * files below this HBase's directory.
 *
 * <p>A directive is a lease: it expires unless it is renewed. So the memory is released by itself
 * after this jar was removed.
 *
 * <p><b>Rescans.</b> A change makes the NameNode schedule a rescan of all directives, under its
 * write lock. The rescan waits for the NameNode's own interval, 30 s, unless a call needs its
 * result. Every listing needs it, and so does every change without the flag FORCE. Changes here
 * have that flag. FORCE also skips the check of the pool's limit. {@link PinPlanner} keeps to the
 * limit, and a rescan locks nothing beyond it.
 *
 * <p><b>Leases by directory or pool.</b> HDFS has neither. A directive of a directory pins all
 * files in it without exception. The maximum lease of a pool applies only when a directive is
 * added. So each file has a lease, and long leases need few renewals.
 *
 * <p>Thread-safe. Each method waits for the NameNode.
 */
final class CacheDirectives {
  /** The number of intervals that the pool's maximum lease must allow. */
  private static final int LEASE_INTERVALS = 4;

  /** The NameNode's default number of directives per listing call. */
  private static final int LISTED_BY_CALL = 100;

  private static final EnumSet<CacheFlag> FORCE = EnumSet.of(CacheFlag.FORCE);

  private final DistributedFileSystem fs;
  private final PinOptions options;
  private final String root;
  private volatile boolean isOfNameNode;

  /**
   * Makes the directives of a pool.
   *
   * @param root directory of this HBase; other directives are not changed
   */
  CacheDirectives(DistributedFileSystem fs, Path root, PinOptions options) {
    this.fs = fs;
    this.options = options;
    this.root = Path.getPathWithoutSchemeAndAuthority(root).toString() + Path.SEPARATOR;
  }

  /**
   * Returns the current state of the pool, which is made if it does not exist.
   *
   * @throws CachePoolException if nothing can be pinned in it
   */
  PoolState state() throws IOException {
    requireNameNode();
    CachePoolEntry pool = usable(find().orElse(null));
    long limit = Math.min(pool.getInfo().getLimit(), options.limit().orElse(Long.MAX_VALUE));
    Long longest = pool.getInfo().getMaxRelativeExpiryMs();
    return new PoolState(
        limit,
        pool.getStats().getBytesNeeded(),
        pool.getStats().getBytesCached(),
        Math.min(options.leaseMillis(), longest == null ? Long.MAX_VALUE : longest));
  }

  /**
   * Rejects a router of a federation. Each name service numbers its directives separately, and a
   * router passes a number on to all of them. So it would remove or renew other directives. A
   * router rejects this call, and a NameNode answers it to any user.
   */
  private void requireNameNode() throws IOException {
    if (isOfNameNode) {
      return;
    }
    try {
      fs.upgradeStatus();
      isOfNameNode = true;
    } catch (RemoteException e) {
      if (e.getClassName().equals(UnsupportedOperationException.class.getName())) {
        throw new CachePoolException(
            fs.getUri()
                + " is a router of a federation, by which directives cannot be told apart: set"
                + " hbase.rootdir to the name service itself",
            e);
      }
      throw e;
    }
  }

  private Optional<CachePoolEntry> find() throws IOException {
    RemoteIterator<CachePoolEntry> pools = fs.listCachePools();
    while (pools.hasNext()) {
      CachePoolEntry pool = pools.next();
      if (pool.getInfo().getPoolName().equals(options.pool())) {
        return Optional.of(pool);
      }
    }
    return Optional.empty();
  }

  private CachePoolEntry usable(CachePoolEntry found) throws IOException {
    CachePoolEntry pool = found == null ? make() : found;
    Long limit = pool.getInfo().getLimit();
    if (limit == null) {
      throw notAllowed("read", null);
    }
    if (limit == 0) {
      throw new CachePoolException(
          named()
              + " has limit 0: hdfs cacheadmin -modifyPool "
              + options.pool()
              + " -limit BYTES");
    }
    if (limit == CachePoolInfo.LIMIT_UNLIMITED && options.limit().isEmpty()) {
      throw new CachePoolException(
          named()
              + " has no limit: hdfs cacheadmin -modifyPool "
              + options.pool()
              + " -limit BYTES, or set "
              + PinOptions.LIMIT);
    }
    Long longest = pool.getInfo().getMaxRelativeExpiryMs();
    long least = Math.min(options.leaseMillis(), LEASE_INTERVALS * options.intervalMillis());
    if (longest != null && longest < least) {
      throw new CachePoolException(
          named()
              + " lets directives live for "
              + longest
              + " ms, less than "
              + LEASE_INTERVALS
              + " times "
              + PinOptions.INTERVAL
              + ": set that lower, or hdfs cacheadmin -modifyPool "
              + options.pool()
              + " -maxTtl never");
    }
    return pool;
  }

  private CachePoolEntry make() throws IOException {
    String command =
        "hdfs cacheadmin -addPool " + options.pool() + " -owner " + user() + " -limit BYTES";
    if (options.limit().isEmpty()) {
      throw new CachePoolException(
          named() + " does not exist: " + command + ", or set " + PinOptions.LIMIT);
    }
    try {
      fs.addCachePool(new CachePoolInfo(options.pool()).setLimit(options.limit().getAsLong()));
    } catch (InvalidRequestException e) {
      // Another server was faster. After any other failure, the pool is missing below.
    } catch (AccessControlException e) {
      throw new CachePoolException(
          named() + " does not exist, and " + user() + " may not make it: " + command, e);
    }
    return find()
        .orElseThrow(() -> new CachePoolException(named() + " cannot be made: " + command));
  }

  /**
   * Returns the bytes that the live DataNodes may lock. A NameNode answers only superusers; other
   * users compare the cached bytes.
   */
  OptionalLong lockable() throws IOException {
    long capacity = 0;
    try {
      for (DatanodeInfo node : fs.getDataNodeStats(DatanodeReportType.LIVE)) {
        capacity += node.getCacheCapacity();
      }
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof AccessControlException) {
        return OptionalLong.empty();
      }
      throw e;
    } catch (AccessControlException e) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(capacity);
  }

  /** Returns the number of calls for listing so many directives. */
  static int calls(int directives) {
    return 1 + directives / LISTED_BY_CALL;
  }

  /**
   * Returns the directives of files below this HBase's directory, by path; empty if the pool does
   * not exist.
   */
  Map<String, Directive> directives() throws IOException {
    requireNameNode();
    Map<String, Directive> found = new HashMap<>();
    RemoteIterator<CacheDirectiveEntry> entries =
        fs.listCacheDirectives(new CacheDirectiveInfo.Builder().setPool(options.pool()).build());
    while (entries.hasNext()) {
      Directive directive = directive(entries.next());
      if (directive.path().startsWith(root)) {
        found.merge(directive.path(), directive, Directive::and);
      }
    }
    return found;
  }

  private static Directive directive(CacheDirectiveEntry entry) {
    CacheDirectiveInfo info = entry.getInfo();
    CacheDirectiveStats stats = entry.getStats();
    return new Directive(
        Path.getPathWithoutSchemeAndAuthority(info.getPath()).toString(),
        List.of(info.getId()),
        stats.getBytesNeeded(),
        stats.getBytesCached(),
        info.getExpiration().getAbsoluteMillis(),
        stats.hasExpired());
  }

  /**
   * Pins a file.
   *
   * @return the directive's id
   * @throws CachePoolException if the user has no permission
   * @throws InvalidRequestException if the NameNode rejects it
   */
  long pin(String path, long leaseMillis) throws IOException {
    try {
      return fs.addCacheDirective(
          new CacheDirectiveInfo.Builder()
              .setPath(new Path(path))
              .setPool(options.pool())
              .setReplication(options.replication())
              .setExpiration(Expiration.newRelative(leaseMillis))
              .build(),
          FORCE);
    } catch (AccessControlException e) {
      throw notAllowed("write", e);
    }
  }

  /**
   * Returns the end of a directive by the NameNode's clock; empty if it is gone. Causes a rescan.
   */
  OptionalLong expires(long id) throws IOException {
    try {
      RemoteIterator<CacheDirectiveEntry> entries =
          fs.listCacheDirectives(new CacheDirectiveInfo.Builder().setId(id).build());
      return entries.hasNext()
          ? OptionalLong.of(entries.next().getInfo().getExpiration().getAbsoluteMillis())
          : OptionalLong.empty();
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof InvalidRequestException) {
        return OptionalLong.empty();
      }
      throw e;
    } catch (InvalidRequestException e) {
      return OptionalLong.empty();
    }
  }

  /** Removes the directives of a path. */
  void unpin(Directive directive) throws IOException {
    for (long id : directive.ids()) {
      remove(id);
    }
  }

  /** Removes all but one directive of a path. */
  void unpinDoubles(Directive directive) throws IOException {
    for (long id : directive.ids().subList(1, directive.ids().size())) {
      remove(id);
    }
  }

  private void remove(long id) throws IOException {
    try {
      fs.removeCacheDirective(id);
    } catch (InvalidRequestException e) {
      // Another server has removed it.
    } catch (AccessControlException e) {
      throw notAllowed("write", e);
    }
  }

  /**
   * Renews the lease of a directive.
   *
   * @return whether it still exists
   */
  boolean renew(long id, long leaseMillis) throws IOException {
    try {
      fs.modifyCacheDirective(
          new CacheDirectiveInfo.Builder()
              .setId(id)
              .setExpiration(Expiration.newRelative(leaseMillis))
              .build(),
          FORCE);
      return true;
    } catch (InvalidRequestException e) {
      return false;
    } catch (AccessControlException e) {
      throw notAllowed("write", e);
    }
  }

  /** Returns whether DataNodes have reported the whole file in memory. */
  boolean isCached(String path, long length) throws IOException {
    for (BlockLocation block : fs.getFileBlockLocations(new Path(path), 0, length)) {
      if (block.getCachedHosts().length == 0) {
        return false;
      }
    }
    return true;
  }

  private CachePoolException notAllowed(String right, Exception cause) throws IOException {
    return new CachePoolException(
        user()
            + " may not "
            + right
            + " "
            + named()
            + ": hdfs cacheadmin -modifyPool "
            + options.pool()
            + " -owner "
            + user()
            + " -mode 0755",
        cause);
  }

  private String named() {
    return "cache pool " + options.pool();
  }

  private static String user() throws IOException {
    return UserGroupInformation.getCurrentUser().getShortUserName();
  }
}
