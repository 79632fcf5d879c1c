package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
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
import org.fastpath.tiered.InvalidValueException;

/**
 * Refuses tables whose {@link TierRules} cannot be followed, when they are created or altered. Put
 * in by one line in {@code hbase-site.xml} of the HMasters:
 *
 * <pre>{@code
 * hbase.coprocessor.master.classes = org.fastpath.tiered.regionserver.TierRulesChecker
 * }</pre>
 */
public class TierRulesChecker implements MasterCoprocessor, MasterObserver {
  private final Optional<MasterObserver> self = Optional.of(this);
  private Configuration site;

  /** For HBase. */
  public TierRulesChecker() {}

  /** Refuses rules of the site, too: an HMaster that cannot start is seen by whoever wrote them. */
  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) throws IOException {
    site = environment.getConfiguration();
    for (Map.Entry<String, String> entry : site.getPropsWithPrefix(TierRules.PREFIX).entrySet()) {
      TierRules.requireKnown(TierRules.PREFIX + entry.getKey(), entry.getValue());
    }
    TierRules.of(site);
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

  /** By an exception that a client knows, which need not have this jar. */
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
    requireKnown(table.getValues());
    FileSystem files = CommonFSUtils.getRootDirFileSystem(site);
    TierCheck check = new TierCheck(files);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      requireKnown(family.getValues());
      for (Map.Entry<String, String> entry : family.getConfiguration().entrySet()) {
        TierRules.requireKnown(entry.getKey(), entry.getValue());
      }
      check.require(TierRules.of(StoreUtils.createStoreConfiguration(site, table, family)));
    }
  }

  private static void requireKnown(Map<Bytes, Bytes> attributes) {
    for (Map.Entry<Bytes, Bytes> entry : attributes.entrySet()) {
      TierRules.requireKnown(
          Bytes.toString(entry.getKey().copyBytes()), Bytes.toString(entry.getValue().copyBytes()));
    }
  }
}
