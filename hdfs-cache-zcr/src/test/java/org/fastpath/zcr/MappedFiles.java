package org.fastpath.zcr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The replicas that this process has mapped, as the kernel sees it. Those of a cluster that is gone
 * do not count: HDFS's own client keeps them for minutes after the tests of another class.
 */
final class MappedFiles {
  private static final String REPLICA = "/blk_";
  private static final String DELETED = " (deleted)";

  private MappedFiles() {}

  static List<Path> now() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains(REPLICA))
        .map(line -> line.substring(line.indexOf('/')).replace(DELETED, ""))
        .map(Path::of)
        .filter(MappedFiles::isOfLivingCluster)
        .toList();
  }

  /** Returns the replicas that this process has open. */
  static List<Path> open() throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(MappedFiles::target)
          .filter(target -> target.toString().contains(REPLICA))
          .filter(MappedFiles::isOfLivingCluster)
          .toList();
    }
  }

  private static boolean isOfLivingCluster(Path replica) {
    return Files.isDirectory(replica.getParent());
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException e) {
      return Path.of("closed meanwhile");
    }
  }
}
