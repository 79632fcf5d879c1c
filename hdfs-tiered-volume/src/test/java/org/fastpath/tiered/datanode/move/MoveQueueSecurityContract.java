package org.fastpath.tiered.datanode.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.cluster.Eventually;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A mover, and a user of HDFS with next to no rights: bob. The mover is the superuser. Subclasses
 * say how users prove their names.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MoveQueueSecurityContract {
  private static final String QUEUE = "/system/fastpath-moves";
  private static final String LEASE_MILLIS = "1000";
  private static final FsPermission ANYBODY = new FsPermission((short) 01777);
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);

  private TestCluster cluster;
  private UserGroupInformation bob;

  private FileMover mover;

  /** Starts the cluster; this JVM's user is its superuser. */
  abstract TestCluster startCluster(java.nio.file.Path directory) throws Exception;

  abstract UserGroupInformation bob() throws Exception;

  @BeforeAll
  void start(@TempDir java.nio.file.Path directory) throws Exception {
    cluster = startCluster(directory);
    bob = bob();
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    mover =
        FileMover.open(
            cluster.conf(
                "dfs.fastpath.move.poll-millis", "50",
                "dfs.fastpath.move.lease-millis", LEASE_MILLIS,
                "dfs.fastpath.move.backoff-millis", "50"));
  }

  @AfterEach
  void close() throws Exception {
    mover.close();
    cluster.fs().delete(new Path(QUEUE), true);
  }

  private <T> T asBob(PrivilegedExceptionAction<T> action) throws Exception {
    return bob.doAs(action);
  }

  private DistributedFileSystem bobsFileSystem() throws Exception {
    return asBob(() -> (DistributedFileSystem) FileSystem.newInstance(cluster.conf()));
  }

  private void olderQueue() throws IOException {
    FileSystem.mkdirs(cluster.fs(), new Path(QUEUE), ANYBODY);
  }

  private Path misplaced(String name, FsPermission permission) throws Exception {
    Path file = cluster.write(name, 1);
    cluster.fs().setPermission(file, permission);
    cluster.fs().setStoragePolicy(file, "ALL_SSD");
    return file;
  }

  private void settles(MoveState state, MoveTicket ticket) throws Exception {
    Eventually.holds(
        () -> assertThat(mover.status(List.of(ticket)).get(0).state()).isEqualTo(state));
  }

  @Test
  void bobCannotReachTheQueue() throws Exception {
    mover.start();
    try (DistributedFileSystem bobs = bobsFileSystem()) {
      for (String name : List.of(".mover", "16403.0194f2a1b3c4-5d6e7f80.waiting")) {
        Path file = new Path(QUEUE, name);
        assertThatThrownBy(() -> bobs.create(file, true))
            .isInstanceOf(AccessControlException.class);
        assertThatThrownBy(() -> bobs.setTimes(file, 1, -1))
            .isInstanceOf(AccessControlException.class);
      }
      assertThatThrownBy(() -> bobs.listStatus(new Path(QUEUE)))
          .isInstanceOf(AccessControlException.class);
    }
    Path file = misplaced("/reached", PRIVATE);
    settles(MoveState.DONE, mover.submit(file));
  }

  @Test
  void anOlderQueueIsTakenOverFromBobWhoHoldsItsLock() throws Exception {
    olderQueue();
    Path lock = new Path(QUEUE, ".mover");
    try (DistributedFileSystem bobs = bobsFileSystem()) {
      bobs.create(lock).close();
      MoveTicket ticket = mover.submit(misplaced("/locked", PRIVATE));
      mover.start();
      assertThat(cluster.fs().getFileStatus(new Path(QUEUE)).getPermission().toShort())
          .isEqualTo((short) 01770);
      assertThatThrownBy(() -> bobs.setTimes(lock, 1, -1))
          .isInstanceOf(AccessControlException.class);
      settles(MoveState.DONE, ticket);
    }
  }

  @Test
  void whatBobRequestedInAnOlderQueueIsCheckedByHisOwnRights() throws Exception {
    olderQueue();
    Path foreign = misplaced("/foreign", PRIVATE);
    Path readable = misplaced("/readable", new FsPermission((short) 0644));
    Path writable = misplaced("/writable", new FsPermission((short) 0666));
    Path hidden = new Path("/hidden/file");
    cluster.fs().mkdirs(hidden.getParent(), PRIVATE);
    assertThat(cluster.fs().rename(misplaced("/open", new FsPermission((short) 0666)), hidden))
        .isTrue();
    Path own = misplaced("/own", PRIVATE);
    cluster.fs().setOwner(own, "bob", null);
    Path shared = misplaced("/shared", PRIVATE);
    cluster
        .fs()
        .modifyAclEntries(
            shared,
            List.of(
                new AclEntry.Builder()
                    .setScope(AclEntryScope.ACCESS)
                    .setType(AclEntryType.USER)
                    .setName("bob")
                    .setPermission(FsAction.WRITE)
                    .build()));
    MoveTicket refusedForeign;
    MoveTicket refusedReadable;
    MoveTicket refusedHidden;
    MoveTicket allowedWritable;
    MoveTicket allowedOwn;
    MoveTicket allowedShared;
    try (DistributedFileSystem bobs = bobsFileSystem()) {
      refusedForeign = forged(bobs, foreign);
      refusedReadable = forged(bobs, readable);
      refusedHidden = forged(bobs, hidden);
      allowedWritable = forged(bobs, writable);
      allowedOwn = forged(bobs, own);
      allowedShared = forged(bobs, shared);
    }
    mover.start();
    settles(MoveState.DONE, allowedWritable);
    settles(MoveState.DONE, allowedOwn);
    settles(MoveState.DONE, allowedShared);
    for (MoveTicket refused : List.of(refusedForeign, refusedReadable, refusedHidden)) {
      settles(MoveState.FAILED, refused);
    }
    assertThat(mover.status(List.of(refusedForeign)).get(0).reason())
        .isEqualTo("the user who requested it may not write the file");
    assertThat(cluster.types(foreign)).containsOnly(StorageType.DISK);
    assertThat(cluster.types(readable)).containsOnly(StorageType.DISK);
    assertThat(cluster.types(hidden)).containsOnly(StorageType.DISK);
    assertThat(cluster.types(writable)).containsOnly(StorageType.SSD);
    assertThat(mover.requested()).as("bob's vain request keeps no one waiting").isEmpty();
    settles(MoveState.DONE, mover.submit(foreign));
  }

  /**
   * Returns a request for any inode and path, as every user with access to the queue can make it.
   */
  private MoveTicket forged(DistributedFileSystem bobs, Path file) throws IOException {
    long inode = cluster.fs().getClient().getFileInfo(file.toString()).getFileId();
    MoveRequest request = MoveRequest.of(inode);
    Path queued = new Path(QUEUE, request.name());
    bobs.create(queued).close();
    bobs.setXAttr(
        queued,
        "user.fastpath.path",
        file.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return new MoveTicket(request, file.toString());
  }

  @Test
  void aGroupMayMakeRequests() throws Exception {
    mover.close();
    mover = FileMover.open(cluster.conf("dfs.fastpath.move.group", "hbase"));
    mover.start();
    assertThat(cluster.fs().getFileStatus(new Path(QUEUE)).getGroup()).isEqualTo("hbase");
  }

  @Test
  void movesWaitWhileHdfssOwnMoverRuns() throws Exception {
    Path mark = new Path("/system/mover.id");
    Path file = misplaced("/other-mover", PRIVATE);
    MoveTicket ticket = mover.submit(file);
    try (DistributedFileSystem other =
        (DistributedFileSystem) FileSystem.newInstance(cluster.conf())) {
      try (var held = other.create(mark)) {
        mover.start();
        Eventually.holds(() -> assertThat(cluster.fs().exists(new Path(QUEUE, ".mover"))).isTrue());
        assertThatThrownBy(() -> cluster.fs().append(mark)).hasMessageContaining("mover.id");
        assertThat(cluster.types(file)).containsOnly(StorageType.DISK);
        assertThat(mover.status(List.of(ticket)).get(0).state()).isEqualTo(MoveState.WAITING);
      }
      settles(MoveState.DONE, ticket);
      Eventually.holds(() -> assertThat(cluster.fs().exists(mark)).isFalse());
    }
  }

  @Test
  void hdfssOwnMoverDoesNotStartWhileThisOneMoves() throws Exception {
    MoverId ours = new MoverId(cluster.fs(), System::nanoTime);
    assertThat(ours.hold()).isTrue();
    try (DistributedFileSystem other =
        (DistributedFileSystem) FileSystem.newInstance(cluster.conf())) {
      assertThatThrownBy(() -> other.append(new Path("/system/mover.id")))
          .hasMessageContaining("currently owned by");
      MoverId next = new MoverId(other, System::nanoTime);
      assertThat(next.hold()).as("of one of ours that died").isTrue();
      next.release();
    }
    ours.release();
  }

  /** With a clock that stands still. */
  @Test
  void movesThatFollowEachOtherDoNotWait() throws Exception {
    MoverId ours = new MoverId(cluster.fs(), () -> 0);
    for (int i = 0; i < 3; i++) {
      assertThat(ours.hold()).isTrue();
      ours.release();
    }
  }
}
