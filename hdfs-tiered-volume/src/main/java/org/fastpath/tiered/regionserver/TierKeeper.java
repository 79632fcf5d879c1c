package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.fastpath.tiered.status.HBaseFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps complete files on the tiers that {@link AtRestRules} and {@link TierRules} name, while this
 * HMaster is the active one. One line in {@code hbase-site.xml} of the HMasters installs it:
 *
 * <pre>{@code
 * hbase.coprocessor.master.classes =
 *     org.fastpath.tiered.regionserver.TierRulesChecker,org.fastpath.tiered.regionserver.TierKeeper
 * }</pre>
 *
 * <p>It stores the rules of a deleted table with its archived files. {@link KeeperRounds} does
 * everything else, on a separate thread.
 */
public class TierKeeper implements MasterCoprocessor, MasterObserver {
  private static final Logger LOG = LoggerFactory.getLogger(TierKeeper.class);

  private Optional<MasterObserver> self = Optional.of(this);
  private Configuration conf;
  private KeeperOptions options;
  private KeeperMetrics metrics;
  private KeeperRounds rounds;

  /** Called by HBase. */
  public TierKeeper() {}

  /** Rejects wrong values. The HMaster then does not start, so the operator notices the mistake. */
  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) throws IOException {
    if (!HBaseFeatures.TIER_RULES.usable()) {
      self = Optional.empty();
      return;
    }
    conf = HBaseConfiguration.create(environment.getConfiguration());
    CommonFSUtils.setFsDefault(conf, CommonFSUtils.getRootDir(conf));
    options = KeeperOptions.of(conf);
    AtRestRules.of(conf);
    metrics = new KeeperMetrics();
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment environment) {
    if (rounds != null) {
      rounds.close();
    }
    if (metrics != null) {
      metrics.close();
    }
  }

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return self;
  }

  /** Starts the rounds. Only the active HMaster calls this. */
  @Override
  public void postStartMaster(ObserverContext<MasterCoprocessorEnvironment> context) {
    rounds = new KeeperRounds(context.getEnvironment().getConnection(), conf, options, metrics);
    rounds.start();
  }

  /**
   * Stores the rules of the table. This is part of the deletion's procedure, so another HMaster
   * repeats it after a crash.
   */
  @Override
  public void preDeleteTableAction(
      ObserverContext<MasterCoprocessorEnvironment> context, TableName table) {
    try (Admin admin = context.getEnvironment().getConnection().getAdmin()) {
      Map<String, ArchiveRule> rules = TableRules.of(conf, admin.getDescriptor(table)).archive();
      if (!rules.isEmpty()
          && CommonFSUtils.getRootDirFileSystem(conf) instanceof DistributedFileSystem hdfs) {
        new ArchivedTables(hdfs).remember(HFileArchiveUtil.getTableArchivePath(conf, table), rules);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "The rules of the deleted table {} were not stored; its archived files follow "
              + "the rules of the site",
          table,
          e);
    }
  }
}
