package org.fastpath.zcr.pin;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the policies of tables and families from {@link PinPolicy#ATTRIBUTE}. A family overrides
 * its table, which overrides hbase-site.xml. A wrong value is ignored and logged once. Thread-safe.
 */
final class TablePolicies {
  private static final Logger LOG = LoggerFactory.getLogger(TablePolicies.class);

  private final PinPolicy otherwise;
  private final PinMetrics metrics;
  private final Set<String> failureLog = ConcurrentHashMap.newKeySet();

  TablePolicies(PinPolicy otherwise, PinMetrics metrics) {
    this.otherwise = otherwise;
    this.metrics = metrics;
  }

  PinPolicy of(TableDescriptor table, ColumnFamilyDescriptor family) {
    String name = table.getTableName().getNameAsString();
    return parse(family.getValue(PinPolicy.ATTRIBUTE), name + ", " + family.getNameAsString())
        .or(() -> parse(table.getValue(PinPolicy.ATTRIBUTE), name))
        .orElse(otherwise);
  }

  private Optional<PinPolicy> parse(String value, String where) {
    if (value == null) {
      return Optional.empty();
    }
    Optional<PinPolicy> policy = PinPolicy.of(value);
    if (policy.isEmpty() && failureLog.add(where + value)) {
      metrics.invalidPolicy();
      LOG.warn(
          "{} of {} is {}, allowed is ALWAYS or AUTO or NEVER; the value is ignored",
          PinPolicy.ATTRIBUTE,
          where,
          value);
    }
    return policy;
  }
}
