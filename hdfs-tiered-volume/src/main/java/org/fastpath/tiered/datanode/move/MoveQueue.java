package org.fastpath.tiered.datanode.move;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The requests, as empty files of one directory of HDFS.
 *
 * <p>The NameNode keeps them: creating, renaming and deleting a file is atomic, logged before it is
 * answered, and survives every process of ours. A request costs an inode and no block. An attribute
 * on the file itself would be found again by a scan of the namespace only, and so would a placement
 * that does not match the policy.
 *
 * <p>Whoever may write into the directory may make requests: see {@link QueueDirectory}.
 * Thread-safe.
 */
final class MoveQueue {
  private static final String PATH_ATTRIBUTE = "user.fastpath.path";

  private final DistributedFileSystem fs;
  private final DFSClient client;
  private final String directory;
  private int nextGone;

  MoveQueue(DistributedFileSystem fs, String directory) {
    this.fs = fs;
    this.client = fs.getClient();
    this.directory = directory;
  }

  /** Adds a request. */
  MoveTicket submit(Path path) throws IOException {
    String name = pathOf(path);
    MoveRequest request = MoveRequest.of(inode(name));
    makeDirectory();
    Path file = file(request);
    fs.create(file, false).close();
    try {
      fs.setXAttr(file, PATH_ATTRIBUTE, name.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // Either attributes are switched off, and the inode is shown instead of the path, or a mover
      // has begun already.
    }
    return new MoveTicket(request, name);
  }

  private long inode(String path) throws IOException {
    HdfsFileStatus status = client.getFileInfo(path);
    if (status == null) {
      throw new FileNotFoundException(path + " does not exist");
    }
    return status.getFileId();
  }

  private void makeDirectory() throws IOException {
    if (client.getFileInfo(directory) == null) {
      QueueDirectory.make(fs, directory);
    }
  }

  /** When a request was added, changed or removed last, by the NameNode's clock; 0 if never. */
  long changedMillis() throws IOException {
    HdfsFileStatus status = client.getFileInfo(directory);
    return status == null ? 0 : status.getModificationTime();
  }

  /** All requests, those that have failed too. */
  List<MoveRequest> list() throws IOException {
    List<MoveRequest> requests = new ArrayList<>();
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    DirectoryListing page;
    do {
      page = client.listPaths(directory, after);
      if (page == null) {
        return requests;
      }
      Arrays.stream(page.getPartialListing())
          .map(file -> MoveRequest.parse(file.getLocalName(), file.getOwner()))
          .flatMap(Optional::stream)
          .forEach(requests::add);
      after = page.getLastName();
    } while (page.hasMore());
    return requests;
  }

  /** Gives a request another state; empty if somebody has cancelled it. */
  Optional<MoveRequest> change(MoveRequest request, MoveState state, Optional<Obstacle> obstacle)
      throws IOException {
    MoveRequest changed = request.in(state, obstacle);
    if (changed.equals(request)) {
      return Optional.of(request);
    }
    try {
      client.rename(file(request).toString(), file(changed).toString(), Rename.NONE);
      return Optional.of(changed);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Removes a request; false if it is gone, or has another state, and thus name, by now. */
  boolean remove(MoveRequest request) throws IOException {
    return client.delete(file(request).toString(), false);
  }

  /**
   * Removes all requests of a file; returns how many there were. A mover may give one another state
   * after it was listed: it is looked for again until it is gone. Those that come meanwhile stay.
   */
  int cancel(Path path) throws IOException {
    long inode = inode(pathOf(path));
    List<MoveRequest> left = list().stream().filter(r -> r.inode() == inode).toList();
    int removed = 0;
    while (!left.isEmpty()) {
      for (MoveRequest request : left) {
        if (remove(request)) {
          removed++;
        }
      }
      left = asTheyAreNow(left);
    }
    return removed;
  }

  private List<MoveRequest> asTheyAreNow(List<MoveRequest> requests) throws IOException {
    return list().stream().filter(now -> requests.stream().anyMatch(now::isSameAs)).toList();
  }

  /**
   * Removes requests that were given up and whose files are gone.
   *
   * @param most how many files are looked for
   * @return how many were removed
   */
  int removeGone(int most) throws IOException {
    List<MoveRequest> failed = list().stream().filter(request -> !request.isOpen()).toList();
    int removed = 0;
    for (int i = 0; i < Math.min(most, failed.size()); i++) {
      MoveRequest request = failed.get((nextGone + i) % failed.size());
      if (isGone(request.inode()) && remove(request)) {
        removed++;
      }
    }
    nextGone = failed.isEmpty() ? 0 : (nextGone + most) % failed.size();
    return removed;
  }

  private boolean isGone(long inode) throws IOException {
    try {
      return client.getFileInfo(Inodes.path(inode)) == null;
    } catch (FileNotFoundException e) {
      return true;
    }
  }

  List<MoveStatus> status() throws IOException {
    List<MoveStatus> status = new ArrayList<>();
    for (MoveRequest request : list()) {
      status.add(MoveStatus.of(requestedPath(request), request));
    }
    return status;
  }

  /** What has become of requests of ours, in their order. */
  static List<MoveStatus> status(Collection<MoveTicket> tickets, List<MoveRequest> listed) {
    Map<String, MoveRequest> requests =
        listed.stream()
            .collect(Collectors.toMap(MoveRequest::id, Function.identity(), (a, b) -> b));
    return tickets.stream().map(ticket -> status(ticket, requests)).toList();
  }

  private static MoveStatus status(MoveTicket ticket, Map<String, MoveRequest> requests) {
    MoveRequest request = requests.get(ticket.request().id());
    return request == null
        ? new MoveStatus(ticket.path(), ticket.request().inode(), MoveState.DONE, "")
        : MoveStatus.of(ticket.path(), request);
  }

  /** The path when it was requested, or that of the inode if it is not known. */
  private String requestedPath(MoveRequest request) {
    return recordedPath(request).orElseGet(() -> Inodes.path(request.inode()));
  }

  /** The path when it was requested, as the requester says; empty if there is none. */
  Optional<String> recordedPath(MoveRequest request) {
    try {
      byte[] path = fs.getXAttr(file(request), PATH_ATTRIBUTE);
      return Optional.of(new String(path, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private String pathOf(Path path) {
    return Path.getPathWithoutSchemeAndAuthority(fs.makeQualified(path)).toString();
  }

  private Path file(MoveRequest request) {
    return new Path(directory, request.name());
  }
}
