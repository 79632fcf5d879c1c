package org.fastpath.cluster;

import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ServicePlugin;

/**
 * Gives block tokens and their keys a life of milliseconds, in the NameNode that loads it ({@code
 * dfs.namenode.plugins}). HDFS's own configuration keys for both are in minutes. A NameNode checks
 * the age of its keys every five seconds.
 */
public final class BlockTokensPlugin implements ServicePlugin {
  /** The key of a token's life. */
  static final String MILLIS = "fastpath.cluster.block-token-millis";

  /** Called by HDFS. */
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
