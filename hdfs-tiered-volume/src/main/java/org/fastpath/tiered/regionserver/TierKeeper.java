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
 * Keeps files that nobody writes any longer on the tiers where {@link AtRestRules} and {@link
 * TierRules} want them, while this HMaster is the active one. Put in by one line in {@code
 * hbase-site.xml} of the HMasters:
 *
 * <pre>{@code
 * hbase.coprocessor.master.classes =
 *     org.fastpath.tiered.regionserver.TierRulesChecker,org.fastpath.tiered.regionserver.TierKeeper
 * }</pre>
 *
 * <p>It keeps the rules of a table that is deleted beside its archived files. {@link KeeperRounds}
 * does everything else, in a thread of its own.
 */
public class TierKeeper implements MasterCoprocessor, MasterObserver {
  private static final Logger LOG = LoggerFactory.getLogger(TierKeeper.class);

  private Optional<MasterObserver> self = Optional.of(this);
  private Configuration conf;
  private KeeperOptions options;
  private KeeperMetrics metrics;
  private KeeperRounds rounds;

  /** For HBase. */
  public TierKeeper() {}

  /** Refuses wrong values: an HMaster that cannot start is seen by whoever wrote them. */
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

  /** Only one HMaster comes here: the one that is active. */
  @Override
  public void postStartMaster(ObserverContext<MasterCoprocessorEnvironment> context) {
    rounds = new KeeperRounds(context.getEnvironment().getConnection(), conf, options, metrics);
    rounds.start();
  }

  /** Part of the deletion's procedure, and so done again if an HMaster dies over it. */
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
      LOG.warn("The archived files of {} will be where the rules of the site say", table, e);
    }
  }
}
