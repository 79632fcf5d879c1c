package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.security.UserGroupInformation;

/** Users without authentication, whose names HDFS believes. */
class MoveQueueSecurityLiveTest extends MoveQueueSecurityContract {
  @Override
  TestCluster startCluster(Path directory) throws IOException {
    return new TestCluster(directory);
  }

  @Override
  UserGroupInformation bob() {
    return UserGroupInformation.createRemoteUser("bob");
  }
}
