package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.security.UserGroupInformation;

/** With users of whom HDFS believes what they say. */
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
