package org.fastpath.tiered.datanode.move;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.cluster.Kdc;
import org.junit.jupiter.api.AfterAll;

/**
 * With users whom a KDC knows, block tokens that live for five seconds, and data transfer that SASL
 * authenticates.
 */
class MoverKerberosLiveTest extends MoveQueueSecurityContract {
  private static final Duration TOKENS = Duration.ofSeconds(5);

  private Kdc kdc;

  @Override
  TestCluster startCluster(Path directory) throws Exception {
    kdc = Kdc.start(directory, "bob");
    return new TestCluster(
        directory,
        builder -> builder.kerberos(kdc.kerberos()).blockTokens(TOKENS),
        conf -> kdc.become("hdfs/localhost", conf));
  }

  @Override
  UserGroupInformation bob() throws Exception {
    return kdc.login("bob");
  }

  @AfterAll
  void closeKdc() {
    kdc.close();
  }
}
