package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Checks whether the user who made a request may have the file moved. In HDFS, a user who may write
 * a file may set its storage policy; the same rule applies here. The NameNode knows the requester,
 * as the owner of the request's file, and the groups of a user.
 *
 * <p>A mover is a superuser. Without this check, a requester could have files moved and listed that
 * the requester may not even read. An authorizer plug-in of the NameNode is not consulted; the
 * owner of a file may always have it moved. Thread-safe.
 */
final class RequesterRights {
  /** Asks the NameNode for the groups of a user. */
  @FunctionalInterface
  interface GroupsOf {
    List<String> groups(String user) throws IOException;
  }

  private static final long FRESH_NANOS = 60_000_000_000L;

  private final DFSClient client;
  private final MoveQueue queue;
  private final Set<String> superusers;
  private final String supergroup;
  private final boolean enabled;
  private final GroupsOf groups;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  private record Known(Set<String> groups, long nanos) {}

  /** A user with its groups. */
  private record Requester(String name, Set<String> groups) {}

  /**
   * @param mover the user of this process, a superuser
   * @param enabled whether HDFS checks permissions
   */
  RequesterRights(
      DFSClient client,
      MoveQueue queue,
      String mover,
      String supergroup,
      boolean enabled,
      GroupsOf groups) {
    this.client = client;
    this.queue = queue;
    superusers = Set.of(mover);
    this.supergroup = supergroup;
    this.enabled = enabled;
    this.groups = groups;
  }

  /** Returns whether the requester may write the file or directory. */
  boolean mayMove(MoveRequest request, HdfsFileStatus file) throws IOException {
    String user = request.requester();
    if (!enabled || superusers.contains(user) || user.equals(file.getOwner())) {
      return true;
    }
    Requester requester = new Requester(user, groups(user));
    if (requester.groups().contains(supergroup)) {
      return true;
    }
    Optional<String> path = queue.recordedPath(request);
    return path.isPresent()
        && pathMatches(path.get(), file)
        && may(requester, FsAction.WRITE, file, path.get())
        && mayTraverse(requester, new Path(path.get()).getParent());
  }

  private Set<String> groups(String user) throws IOException {
    long now = System.nanoTime();
    Known fresh = known.get(user);
    if (fresh == null || now - fresh.nanos() > FRESH_NANOS) {
      fresh = new Known(Set.copyOf(groups.groups(user)), now);
      known.put(user, fresh);
    }
    return fresh.groups();
  }

  /**
   * Returns whether the recorded path leads to the file. Another file may have this path by now.
   */
  private boolean pathMatches(String path, HdfsFileStatus file) throws IOException {
    HdfsFileStatus found = client.getFileInfo(path);
    return found != null && found.getFileId() == file.getFileId();
  }

  private boolean mayTraverse(Requester requester, Path parent) throws IOException {
    for (Path each = parent; each != null; each = each.getParent()) {
      String path = each.toString();
      HdfsFileStatus directory = client.getFileInfo(path);
      if (directory == null || !may(requester, FsAction.EXECUTE, directory, path)) {
        return false;
      }
    }
    return true;
  }

  private boolean may(Requester requester, FsAction action, HdfsFileStatus file, String path)
      throws IOException {
    if (requester.name().equals(file.getOwner())) {
      return file.getPermission().getUserAction().implies(action);
    }
    if (file.hasAcl()) {
      return mayByAcl(requester, action, file, client.getAclStatus(path).getEntries());
    }
    boolean member = requester.groups().contains(file.getGroup());
    return (member ? file.getPermission().getGroupAction() : file.getPermission().getOtherAction())
        .implies(action);
  }

  /**
   * Checks an ACL like the NameNode: named users, then groups of which one suffices, then others.
   */
  private static boolean mayByAcl(
      Requester requester, FsAction action, HdfsFileStatus file, List<AclEntry> entries) {
    // With an ACL, the group's bits of the mode are the mask.
    FsAction mask = file.getPermission().getGroupAction();
    boolean member = false;
    for (AclEntry entry : entries) {
      if (entry.getScope() != AclEntryScope.ACCESS) {
        continue;
      }
      boolean allows = entry.getPermission().and(mask).implies(action);
      if (entry.getType() == AclEntryType.USER && requester.name().equals(entry.getName())) {
        return allows;
      }
      if (entry.getType() == AclEntryType.GROUP) {
        String group = entry.getName() == null ? file.getGroup() : entry.getName();
        if (requester.groups().contains(group)) {
          member = true;
          if (allows) {
            return true;
          }
        }
      }
    }
    return !member && file.getPermission().getOtherAction().implies(action);
  }
}
