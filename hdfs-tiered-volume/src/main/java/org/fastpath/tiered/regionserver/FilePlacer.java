package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;

/**
 * Stands in front of a store's tracker, which makes the writers of all its store files whatever
 * engine the store has, and sets the policy of a file between its creation and its first block.
 *
 * <p>That moment is there in each file's life: a file that HDFS has created has no block yet, a
 * writer's first bytes stay in the client until a packet is full, and the NameNode asks for the
 * file's policy when it chooses the DataNodes of a block. So nothing is ever written to a wrong
 * tier and moved, and the policy is the file's own, which a rename does not change. HBase's own
 * way, a directory for each policy ({@code withFileStoragePolicy}), does not go with a tracker that
 * writes files where they stay, because such a tracker looks for them in the store's directory.
 *
 * <p>Everything else goes to the tracker as it is. If a policy cannot be set the file is written as
 * it would be without the rule. Safe from any thread.
 */
final class FilePlacer implements InvocationHandler {
  private static final String CREATE_WRITER = "createWriter";

  /** Of the compaction that this thread began last; HBase's parameters do not tell it. */
  private static final ThreadLocal<StoreFileKind> COMPACTION =
      ThreadLocal.withInitial(() -> StoreFileKind.MINOR_COMPACTION);

  private final StoreFileTracker tracker;
  private final TierRules rules;
  private final FileSystem files;

  FilePlacer(StoreFileTracker tracker, TierRules rules, FileSystem files) {
    this.tracker = tracker;
    this.rules = rules;
    this.files = files;
  }

  /** Takes notice of the compaction that this thread begins. */
  static void compacting(CompactionRequest request) {
    COMPACTION.set(
        request.isMajor() || request.isAllFiles()
            ? StoreFileKind.MAJOR_COMPACTION
            : StoreFileKind.MINOR_COMPACTION);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals(CREATE_WRITER)
        && arguments.length == 1
        && arguments[0] instanceof CreateStoreFileWriterParams params) {
      return createWriter(method, params);
    }
    return call(method, arguments);
  }

  private Object call(Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(tracker, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Object createWriter(Method method, CreateStoreFileWriterParams params) throws Throwable {
    Optional<String> policy = rules.policy(kind(params), params.totalCompactedFilesSize());
    if (policy.isEmpty()) {
      return call(method, params);
    }
    Optional<Compression.Algorithm> compression = rules.compression(policy.get());
    compression.ifPresent(params::compression);
    List<Path> created = new ArrayList<>();
    Consumer<Path> listener = params.writerCreationTracker();
    params.writerCreationTracker(
        path -> {
          created.add(path);
          if (listener != null) {
            listener.accept(path);
          }
        });
    Object writer = call(method, params);
    for (Path file : created) {
      place(file, policy.get(), compression.isPresent());
    }
    return writer;
  }

  private static StoreFileKind kind(CreateStoreFileWriterParams params) {
    return params.isCompaction() ? COMPACTION.get() : StoreFileKind.FLUSH;
  }

  private void place(Path file, String policy, boolean recompressed) {
    try {
      files.setStoragePolicy(file, policy);
      TierMetrics.placed(recompressed);
    } catch (IOException | RuntimeException e) {
      TierMetrics.unplaced(file, policy, e);
    }
  }
}
