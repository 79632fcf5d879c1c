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
 * on the file itself could be found only by a scan of the namespace; the same is true for a
 * misplaced replica.
 *
 * <p>Each user who may write into the directory may make requests: see {@link QueueDirectory}.
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
      // Either attributes are disabled, and the inode replaces the path, or a mover has already
      // begun.
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

  /** Returns the time of the last change of the queue, by the NameNode's clock; 0 if never. */
  long changedMillis() throws IOException {
    HdfsFileStatus status = client.getFileInfo(directory);
    return status == null ? 0 : status.getModificationTime();
  }

  /** Returns all requests, also failed ones. */
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

  /** Changes the state of a request. Returns empty if it was cancelled. */
  Optional<MoveRequest> change(
      MoveRequest request, MoveState state, Optional<MoveFailureReason> failureReason)
      throws IOException {
    MoveRequest changed = request.in(state, failureReason);
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

  /** Removes a request. Returns false if it is gone or has another state and so another name. */
  boolean remove(MoveRequest request) throws IOException {
    return client.delete(file(request).toString(), false);
  }

  /**
   * Removes all requests of a file and returns their number. A mover may change a state after the
   * listing, so the search is repeated until they are gone. Requests made meanwhile stay.
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
      left = currentRequests(left);
    }
    return removed;
  }

  private List<MoveRequest> currentRequests(List<MoveRequest> requests) throws IOException {
    return list().stream().filter(now -> requests.stream().anyMatch(now::isSameAs)).toList();
  }

  /**
   * Removes failed requests whose files are gone.
   *
   * @param most maximum number of files to check
   * @return the number of removed requests
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

  /** Returns the status of requests, in their order. */
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

  /** Returns the path at the time of the request, or that of the inode if it is unknown. */
  private String requestedPath(MoveRequest request) {
    return recordedPath(request).orElseGet(() -> Inodes.path(request.inode()));
  }

  /**
   * Returns the path at the time of the request, as recorded by the requester; empty if there is
   * none.
   */
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
