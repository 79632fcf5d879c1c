package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Valid values are accepted. An error names each invalid value and the allowed ones. */
class BlockOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void areOnUnlessTheyAreOff() {
    assertThat(BlockOptions.of(conf).enabled()).isTrue();
    conf.set(MappedBlocks.ENABLED, "false");
    assertThat(BlockOptions.of(conf).enabled()).isFalse();
  }

  @Test
  void aWrongValueIsNamed() {
    conf.set(MappedBlocks.ENABLED, "no");
    assertThatThrownBy(() -> BlockOptions.of(conf))
        .isInstanceOf(BlockConfigurationException.class)
        .hasMessage("hbase.fastpath.zcr-blocks.enabled is no, allowed is true or false");
  }
}
