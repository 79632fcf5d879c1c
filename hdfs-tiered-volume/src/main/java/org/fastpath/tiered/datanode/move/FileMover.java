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
 * Moves files to the storage types of their policies, file by file and without delay. A move
 * follows a change of the policy or a rename to a directory with another policy.
 *
 * <p>HDFS has two ways for this. The mover scans the namespace, or a part of it, each time. The
 * storage policy satisfier takes requests. It drops a request for a file with a pending one, and
 * needs at least three seconds for a file. Here the NameNode keeps the requests ({@link
 * MoveQueue}). Only the latest policy of a file counts ({@link InodeMove}). The target DataNode
 * moves each replica at our direct request ({@link ReplaceBlockTransfer}).
 *
 * <ul>
 *   <li>Any number of processes may make, list and cancel requests. The process with the lease
 *       moves ({@link MoverLease}). If it dies, another one continues from the NameNode's state.
 *   <li>Only the NameNode deletes a replica, after it knows of the new one. So the number of
 *       replicas never drops, and readers notice nothing. The next round finds and corrects every
 *       repeated or unfinished step.
 *   <li>Our only files on disk are the empty files of the queue.
 * </ul>
 *
 * <p>References:
 *
 * <ol>
 *   <li>HDFS-6584: archival storage, the origin of policies and the mover.
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
   * Connects to the default file system of a configuration, which must be HDFS. This process moves
   * nothing before {@link #start}.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed values
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
   * Requests the move of a file, or of all files below a directory, to the types of their policies.
   * When it returns, the NameNode has the request.
   */
  public MoveTicket submit(Path path) throws IOException {
    MoveTicket ticket = queue.submit(path);
    wake();
    return ticket;
  }

  /**
   * Cancels all requests of a path; those of files below it stay. Moves of replicas that have begun
   * are completed, and moved replicas stay.
   *
   * @return the number of requests
   */
  public int cancel(Path path) throws IOException {
    int cancelled = queue.cancel(path);
    wake();
    return cancelled;
  }

  /**
   * Removes failed requests for files that are gone.
   *
   * @param most maximum number of files to check, each by a call to the NameNode
   * @return the number of removed requests
   */
  public int removeGone(int most) throws IOException {
    return queue.removeGone(most);
  }

  /** Returns all requests in the queue. */
  public List<MoveStatus> status() throws IOException {
    return queue.status();
  }

  /**
   * Returns the requests in the queue by the inodes of their files, with one listing. {@link
   * #status} also returns paths, which costs a call per request. If a file has several requests, an
   * active one precedes a failed one.
   */
  public Map<Long, MoveRequested> requested() throws IOException {
    Map<Long, MoveRequested> requested = new HashMap<>();
    for (MoveRequest request : requests()) {
      requested.merge(request.inode(), MoveRequested.of(request), (a, b) -> a.isOpen() ? a : b);
    }
    return requested;
  }

  /**
   * Returns the valid requests. A request by a user without the right does not count, so others may
   * make it again.
   */
  private List<MoveRequest> requests() throws IOException {
    synchronized (poll) {
      return poll.requests().stream()
          .filter(
              request ->
                  !request.failureReason().equals(Optional.of(MoveFailureReason.NOT_PERMITTED)))
          .toList();
    }
  }

  /** Returns the status of some requests, in their order. */
  public List<MoveStatus> status(Collection<MoveTicket> tickets) throws IOException {
    synchronized (poll) {
      return MoveQueue.status(tickets, poll.requests());
    }
  }

  /**
   * Begins to move in the background, as soon as no other process does. The user must be a
   * superuser of HDFS, because only superusers get the keys from the NameNode. A second call does
   * nothing.
   */
  public synchronized void start() throws IOException {
    if (worker == null) {
      // Fails for a user who is not a superuser.
      ReplaceBlockTransfer opened = ReplaceBlockTransfer.open(fs, conf);
      MoveWorker made = null;
      try {
        made = worker(opened);
        made.start();
        transfer = opened;
        worker = made;
      } finally {
        if (worker == null) {
          if (made != null) {
            made.close();
          }
          opened.close();
        }
      }
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
    // Several services share the protocol, so its client must name the service that it calls.
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

  /** Waits for the moves that have begun and ends. Other requests stay in the queue. */
  @Override
  public synchronized void close() throws IOException {
    if (worker != null) {
      worker.close();
      transfer.close();
    }
    fs.close();
  }
}
