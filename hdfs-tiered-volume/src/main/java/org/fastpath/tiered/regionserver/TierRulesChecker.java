package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.fastpath.common.FeatureStatus;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.status.HBaseFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rejects tables with wrong {@link TierRules} when they are created or altered. One line in {@code
 * hbase-site.xml} of the HMasters installs it:
 *
 * <pre>{@code
 * hbase.coprocessor.master.classes = org.fastpath.tiered.regionserver.TierRulesChecker
 * }</pre>
 */
public class TierRulesChecker implements MasterCoprocessor, MasterObserver {
  private static final Logger LOG = LoggerFactory.getLogger(TierRulesChecker.class);

  private static final FeatureStatus STATUS = HBaseFeatures.TIER_RULES.status();

  private Optional<MasterObserver> self = Optional.of(this);
  private Configuration site;

  /** Called by HBase. */
  public TierRulesChecker() {}

  /**
   * Also rejects wrong rules of the site, and a policy of the WAL that HDFS does not know. The
   * HMaster then does not start, so the operator notices the mistake. A tier without a volume is
   * only an error in the log, because its DataNodes may start later.
   */
  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    if (!HBaseFeatures.TIER_RULES.usable()) {
      self = Optional.empty();
      return;
    }
    site = environment.getConfiguration();
    for (Map.Entry<String, String> entry : site.getPropsWithPrefix(TierRules.PREFIX).entrySet()) {
      String key = TierRules.PREFIX + entry.getKey();
      if (!KeeperOptions.KEYS.contains(key) && !key.equals(LargePackets.SIZE)) {
        TierRules.requireKnown(key, entry.getValue());
      }
    }
    LargePackets.size(site);
    Map<String, String> rules = new TreeMap<>(TierRules.of(site).policies());
    rules.putAll(AtRestRules.of(site).policies());
    Map<String, String> wal = WalPolicy.rule(site);
    try {
      checkSite(new TierCheck(CommonFSUtils.getRootDirFileSystem(site)), rules);
      checkSite(new TierCheck(CommonFSUtils.getWALFileSystem(site)), wal);
      STATUS.active();
    } catch (IOException e) {
      STATUS.fallenBack("rules of the site could not be checked: " + e);
      LOG.warn("Rules of the site could not be checked", e);
    }
  }

  private static void checkSite(TierCheck check, Map<String, String> rules) throws IOException {
    check.requirePolicies(rules);
    try {
      check.requireVolumes(rules);
    } catch (InvalidValueException e) {
      LOG.error("Files cannot be on the tier that a rule names: {}", e.getMessage());
    }
  }

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return self;
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableDescriptor table,
      RegionInfo[] regions)
      throws IOException {
    refuseWrong(table);
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName name,
      TableDescriptor current,
      TableDescriptor table)
      throws IOException {
    refuseWrong(table);
    return table;
  }

  /** Rejects a table by an exception that clients know without this jar. */
  private void refuseWrong(TableDescriptor table) throws IOException {
    try {
      require(table);
    } catch (InvalidValueException e) {
      throw new DoNotRetryIOException(e.getMessage());
    }
  }

  private void require(TableDescriptor table) throws IOException {
    if (table.getTableName().isSystemTable()) {
      return;
    }
    Map<String, String> attributes = strings(table.getValues());
    attributes.forEach(TierRules::requireKnown);
    TierCheck check = new TierCheck(CommonFSUtils.getRootDirFileSystem(site));
    TierScope all = new TierScope();
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      Map<String, String> own = strings(family.getValues());
      own.putAll(family.getConfiguration());
      own.forEach(TierRules::requireKnown);
      Configuration store = StoreUtils.createStoreConfiguration(site, table, family);
      TierRules rules = TierRules.of(store);
      AtRestRules resting = AtRestRules.of(store);
      check.require(rules.policies());
      check.require(resting.policies());
      all.add(family, rules, resting);
      TierScope single = new TierScope();
      single.add(family, rules, resting);
      own.forEach(single::requireMeaning);
    }
    attributes.forEach(all::requireMeaning);
  }

  private static Map<String, String> strings(Map<Bytes, Bytes> attributes) {
    Map<String, String> strings = new TreeMap<>();
    attributes.forEach(
        (key, value) ->
            strings.put(Bytes.toString(key.copyBytes()), Bytes.toString(value.copyBytes())));
    return strings;
  }
}
