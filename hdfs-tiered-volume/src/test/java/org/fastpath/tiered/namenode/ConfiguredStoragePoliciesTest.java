package org.fastpath.tiered.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfiguredStoragePoliciesTest {
  private static final String PREFIX = "dfs.fastpath.storage-policy.";

  private static Configuration two() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.fastpath.storage-policies", "TWO_SSD, FAST");
    conf.set(PREFIX + "TWO_SSD.id", "9");
    conf.set(PREFIX + "TWO_SSD.storage-types", "SSD, SSD, disk");
    conf.set(PREFIX + "TWO_SSD.creation-fallbacks", "DISK");
    conf.set(PREFIX + "TWO_SSD.replication-fallbacks", "ARCHIVE, DISK");
    conf.set(PREFIX + "FAST.id", "3");
    conf.set(PREFIX + "FAST.storage-types", "NVDIMM");
    conf.set(PREFIX + "FAST.copy-on-create", "true");
    return conf;
  }

  @Test
  void policiesStandBesideTheStockOnes() {
    BlockStoragePolicySuite suite = BlockStoragePolicySuite.createDefaultSuite(two());
    BlockStoragePolicy policy = suite.getPolicy("two_ssd");
    assertThat(policy.getId()).isEqualTo((byte) 9);
    assertThat(policy.getStorageTypes())
        .containsExactly(StorageType.SSD, StorageType.SSD, StorageType.DISK);
    assertThat(policy.getCreationFallbacks()).containsExactly(StorageType.DISK);
    assertThat(policy.getReplicationFallbacks())
        .containsExactly(StorageType.ARCHIVE, StorageType.DISK);
    assertThat(policy.isCopyOnCreateFile()).isFalse();
    assertThat(suite.getPolicy((byte) 3).isCopyOnCreateFile()).isTrue();
    assertThat(suite.getAllPolicies()).hasSize(10);
    assertThat(suite.getDefaultPolicy().getName()).isEqualTo("HOT");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TWO_SSD.id | | TWO_SSD.id is empty, allowed is one of the ids that are free: 3, 4, 6, 8, 9, 11, 13
          TWO_SSD.id | nine | TWO_SSD.id is nine, allowed is one of the ids that are free: 3, 4, 6, 8, 9, 11, 13
          TWO_SSD.id | 0 | TWO_SSD.id is 0, allowed is one of
          TWO_SSD.id | 16 | TWO_SSD.id is 16, allowed is one of
          TWO_SSD.id | 12 | TWO_SSD.id is 12, allowed is one of
          FAST.id | 9 | FAST.id is 9, allowed is one of the ids that are free: 3, 4, 6, 8, 11, 13
          FAST.storage-types | | FAST.storage-types is empty, allowed is ARCHIVE, DISK, NVDIMM, SSD
          FAST.storage-types | TAPE | FAST.storage-types is TAPE, allowed is ARCHIVE, DISK, NVDIMM, SSD
          FAST.storage-types | RAM_DISK | FAST.storage-types is RAM_DISK, allowed is ARCHIVE,
          FAST.creation-fallbacks | SDS | FAST.creation-fallbacks is SDS, allowed is ARCHIVE,
          FAST.replication-fallbacks | SDS | FAST.replication-fallbacks is SDS, allowed is ARCHIVE,
          FAST.copy-on-create | yes | FAST.copy-on-create is yes, allowed is true or false
          """)
  void aWrongDefinitionIsOneClearError(String property, String value, String message) {
    Configuration conf = two();
    conf.set(PREFIX + property, value == null ? "" : value);
    refused(conf, PREFIX + message);
  }

  @ParameterizedTest
  @CsvSource({
    "'TWO_SSD,TWO_SSD', 'TWO_SSD, allowed is a name that is not yet taken'",
    "HOT, 'HOT, allowed is a name that is not yet taken, as by BlockStoragePolicy{HOT:7'",
    "two ssd, 'two ssd, allowed is a name of at most 64 capitals, digits and _'"
  })
  void aWrongNameIsOneClearError(String names, String message) {
    Configuration conf = two();
    conf.set("dfs.fastpath.storage-policies", names);
    refused(conf, "dfs.fastpath.storage-policies is " + message);
  }

  private static void refused(Configuration conf, String message) {
    assertThatThrownBy(() -> BlockStoragePolicySuite.createDefaultSuite(conf))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(message);
  }
}
