package org.fastpath.tiered.datanode.move;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.tools.GetUserMappingsProtocol;
import org.fastpath.tiered.TierFeatures;

/**
 * Moves files to the storage types that their policies want, one by one and at once, after a change
 * of the policy or a rename to a directory with another one.
 *
 * <p>HDFS has two ways for this. The mover scans the namespace, or a part of it, each time. The
 * storage policy satisfier takes requests, but drops one for a file with another pending, and takes
 * three seconds and more for a file. Here requests are kept by the NameNode ({@link MoveQueue}), of
 * a file's policy only the one that is valid in the end counts ({@link InodeMove}), and each
 * replica is moved by the DataNode that is to have it, asked directly ({@link
 * ReplaceBlockTransfer}).
 *
 * <ul>
 *   <li>Any number of processes may make, list and cancel requests. The one that has the lease
 *       moves ({@link MoverLease}); when it dies another takes over, from what the NameNode knows.
 *   <li>A replica is deleted by the NameNode only, after it knows of the new one: there are never
 *       fewer than before, and readers notice nothing. Whatever is done twice, or begun and not
 *       ended, is found and corrected by the next round.
 *   <li>Nothing on disk is of ours but the empty files of the queue.
 * </ul>
 *
 * <p>References:
 *
 * <ol>
 *   <li>HDFS-6584: archival storage, where policies and the mover come from.
 *   <li>HDFS-10285, HDFS-12214: the storage policy satisfier.
 *   <li>C. Gray, D. Cheriton: Leases: an efficient fault-tolerant mechanism for distributed file
 *       cache consistency. SOSP 1989.
 * </ol>
 *
 * <p>Thread-safe. Keys begin with {@code dfs.fastpath.move.}.
 */
public final class FileMover implements Closeable {
  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final MoveOptions options;
  private final MoveQueue queue;
  private final QueuePoll poll;
  private ReplaceBlockTransfer transfer;
  private MoveWorker worker;

  private FileMover(Configuration conf, DistributedFileSystem fs, MoveOptions options) {
    this.conf = conf;
    this.fs = fs;
    this.options = options;
    queue = new MoveQueue(fs, options.queue());
    poll = new QueuePoll(queue);
  }

  /**
   * Connects to the default file system of a configuration, which must be HDFS. Nothing moves by
   * this process until it is {@linkplain #start started}.
   *
   * @throws IllegalArgumentException naming key, value and what is allowed
   */
  public static FileMover open(Configuration conf) throws IOException {
    if (!TierFeatures.MOVER.usable()) {
      throw new IOException("files are not moved: " + TierFeatures.MOVER.reason());
    }
    MoveOptions options = MoveOptions.of(conf);
    FileSystem fs = FileSystem.newInstance(conf);
    try {
      if (fs instanceof DistributedFileSystem hdfs) {
        Inodes.requireFound(hdfs);
        return new FileMover(conf, hdfs, options);
      }
    } catch (IOException | RuntimeException e) {
      fs.close();
      throw e;
    }
    fs.close();
    throw new IllegalArgumentException(
        FileSystem.FS_DEFAULT_NAME_KEY + " is " + fs.getUri() + ", allowed is hdfs:");
  }

  /**
   * Requests that a file, or all files below a directory, are moved to where their policies want
   * them. When it returns, the request is kept by the NameNode.
   */
  public MoveTicket submit(Path path) throws IOException {
    MoveTicket ticket = queue.submit(path);
    wake();
    return ticket;
  }

  /**
   * Takes back all requests of a path; those of files below it stay. Moves of replicas that have
   * begun come to their end, and what was moved stays.
   *
   * @return how many requests there were
   */
  public int cancel(Path path) throws IOException {
    int cancelled = queue.cancel(path);
    wake();
    return cancelled;
  }

  /**
   * Removes requests that were given up and are about files that are gone: nobody can request those
   * again.
   *
   * @param most how many files are looked for, each by a call to the NameNode
   * @return how many requests were removed
   */
  public int removeGone(int most) throws IOException {
    return queue.removeGone(most);
  }

  /** All requests in the queue. */
  public List<MoveStatus> status() throws IOException {
    return queue.status();
  }

  /**
   * The requests in the queue by the inodes of their files, by one look at the directory: paths,
   * which {@link #status} gives, cost a look at each request. Of several requests of a file one
   * that is not given up is told before one that is.
   */
  public Map<Long, MoveRequested> requested() throws IOException {
    Map<Long, MoveRequested> requested = new HashMap<>();
    for (MoveRequest request : requests()) {
      requested.merge(request.inode(), MoveRequested.of(request), (a, b) -> a.isOpen() ? a : b);
    }
    return requested;
  }

  /** Those that a user made who may not count for nobody: others may make them again. */
  private List<MoveRequest> requests() throws IOException {
    synchronized (poll) {
      return poll.requests().stream()
          .filter(request -> !request.obstacle().equals(Optional.of(Obstacle.NOT_PERMITTED)))
          .toList();
    }
  }

  /** What has become of some requests, in their order. */
  public List<MoveStatus> status(Collection<MoveTicket> tickets) throws IOException {
    synchronized (poll) {
      return MoveQueue.status(tickets, poll.requests());
    }
  }

  /**
   * Begins to move, in the background, as soon as no other process does; as a superuser of HDFS, to
   * whom alone the NameNode gives what is needed. Nothing the second time.
   */
  public synchronized void start() throws IOException {
    if (worker == null) {
      // Fails for users who are no superusers.
      ReplaceBlockTransfer opened = ReplaceBlockTransfer.open(fs, conf);
      try {
        worker = worker(opened);
        transfer = opened;
      } finally {
        if (worker == null) {
          opened.close();
        }
      }
      worker.start();
    }
  }

  private MoveWorker worker(ReplicaTransfer opened) throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    QueueDirectory.secure(fs, options.queue(), user, options.group());
    return new MoveWorker(fs, queue, options, rights(user), opened);
  }

  private RequesterRights rights(String user) {
    return new RequesterRights(
        fs.getClient(),
        queue,
        user,
        conf.getTrimmed(
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT),
        this::groups);
  }

  private List<String> groups(String user) throws IOException {
    // The protocol belongs to several services. Its client has to name the one that it calls.
    Configuration named = new Configuration(conf);
    named.set(
        CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        conf.get(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
    GetUserMappingsProtocol mappings =
        NameNodeProxies.createProxy(named, fs.getUri(), GetUserMappingsProtocol.class).getProxy();
    try {
      return List.of(mappings.getGroupsForUser(user));
    } finally {
      RPC.stopProxy(mappings);
    }
  }

  private synchronized void wake() {
    if (worker != null) {
      worker.wake();
    }
  }

  /** Ends with the moves that have begun; other requests stay in the queue. */
  @Override
  public synchronized void close() throws IOException {
    if (worker != null) {
      worker.close();
      transfer.close();
    }
    fs.close();
  }
}
