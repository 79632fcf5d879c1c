package org.fastpath.tiered.datanode;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;

/**
 * A DataNode's locks of block pools and volumes, like those of {@link DataSetLockManager}. A thread
 * that locks a volume holds its pool for reading. Two things differ: the order of waits for a
 * pool's write lock, see {@link PatientWriteLock}, and finding a lock needs no lock. Thread-safe.
 */
final class PoolLocks extends DataSetLockManager {
  private final Map<String, Pool> pools = new ConcurrentHashMap<>();
  private final boolean fair;
  private final long patienceNanos;

  /** Both sides of a lock. They are shared by all acquisitions: only a holder may close one. */
  private record Sides(AutoCloseDataSetLock read, AutoCloseDataSetLock write) {
    static Sides of(Lock read, Lock write) {
      return new Sides(new AutoCloseDataSetLock(read), new AutoCloseDataSetLock(write));
    }

    Sides below(AutoCloseDataSetLock pool) {
      read.setParentLock(pool);
      write.setParentLock(pool);
      return this;
    }

    AutoCloseDataSetLock side(boolean forWriting) {
      return forWriting ? write : read;
    }
  }

  /**
   * @param fair as {@code dfs.datanode.lock.fair} says
   * @param patienceNanos time for which a writer of a pool lets readers go first
   */
  PoolLocks(Configuration conf, boolean fair, long patienceNanos) {
    super(conf);
    this.fair = fair;
    this.patienceNanos = patienceNanos;
  }

  private final class Pool {
    private final Sides own;
    private final Map<String, Sides> volumes = new ConcurrentHashMap<>();

    Pool() {
      ReentrantReadWriteLock lock = new ReentrantReadWriteLock(fair);
      own = Sides.of(lock.readLock(), new PatientWriteLock(lock.writeLock(), patienceNanos));
    }

    Sides volume(String name) {
      return volumes.computeIfAbsent(name, any -> newVolume());
    }

    private Sides newVolume() {
      ReentrantReadWriteLock lock = new ReentrantReadWriteLock(fair);
      return Sides.of(lock.readLock(), lock.writeLock()).below(own.read);
    }
  }

  private Pool pool(String[] names) {
    for (String name : names) {
      if (name == null) {
        throw new IllegalArgumentException("a lock without a name: " + String.join(" ", names));
      }
    }
    return pools.computeIfAbsent(names[0], any -> new Pool());
  }

  @Override
  public AutoCloseDataSetLock readLock(LockLevel level, String... names) {
    return lock(false, level, names);
  }

  @Override
  public AutoCloseDataSetLock writeLock(LockLevel level, String... names) {
    return lock(true, level, names);
  }

  private AutoCloseDataSetLock lock(boolean forWriting, LockLevel level, String... names) {
    Pool pool = pool(names);
    AutoCloseDataSetLock lock;
    if (level == LockLevel.BLOCK_POOl) {
      lock = pool.own.side(forWriting);
    } else {
      pool.own.read.lock();
      lock = pool.volume(names[1]).side(forWriting);
    }
    lock.lock();
    return lock;
  }

  @Override
  public void addLock(LockLevel level, String... names) {
    Pool pool = pool(names);
    if (level == LockLevel.VOLUME) {
      pool.volume(names[1]);
    }
  }

  @Override
  public void removeLock(LockLevel level, String... names) {
    try (AutoCloseDataSetLock lock = writeLock(level, names)) {
      if (level == LockLevel.BLOCK_POOl) {
        pools.remove(names[0]);
      } else {
        pool(names).volumes.remove(names[1]);
      }
    }
  }
}
