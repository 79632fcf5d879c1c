package org.fastpath.cluster;

import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ServicePlugin;

/**
 * Gives the block tokens of the NameNode that loads it ({@code dfs.namenode.plugins}) a life of
 * milliseconds, and their keys too. HDFS's own keys for both count minutes. A NameNode looks every
 * five seconds whether its keys are old.
 */
public final class BlockTokensPlugin implements ServicePlugin {
  /** The key of a token's life. */
  static final String MILLIS = "fastpath.cluster.block-token-millis";

  /** For HDFS. */
  public BlockTokensPlugin() {}

  @Override
  public void start(Object service) {
    long millis = ((Configurable) service).getConf().getLong(MILLIS, 0);
    BlockTokenSecretManager tokens =
        ((NameNode) service).getNamesystem().getBlockManager().getBlockTokenSecretManager();
    tokens.setTokenLifetime(millis);
    tokens.setKeyUpdateIntervalForTesting(millis);
  }

  @Override
  public void stop() {}

  @Override
  public void close() {}
}
