package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablePoliciesTest {
  private final PinMetrics metrics = new PinMetrics();
  private final TablePolicies policies = new TablePolicies(PinPolicy.AUTO, metrics);

  @AfterEach
  void close() {
    metrics.close();
  }

  @ParameterizedTest
  @CsvSource({
    ", , AUTO",
    "NEVER, , NEVER",
    "NEVER, ALWAYS, ALWAYS",
    ", always, ALWAYS",
    "SOMETIMES, , AUTO",
    "ALWAYS, SOMETIMES, ALWAYS",
  })
  void theFamilyGoesBeforeTheTableAndWhatIsUnknownIsLeftOut(
      String ofTable, String ofFamily, PinPolicy expected) {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"));
    if (ofFamily != null) {
      family.setValue(PinPolicy.ATTRIBUTE, ofFamily);
    }
    ColumnFamilyDescriptor built = family.build();
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).setColumnFamily(built);
    if (ofTable != null) {
      table.setValue(PinPolicy.ATTRIBUTE, ofTable);
    }
    TableDescriptor descriptor = table.build();
    assertThat(policies.of(descriptor, built)).isEqualTo(expected);
  }
}
