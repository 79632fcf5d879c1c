package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Unloggable;
import org.junit.jupiter.api.Test;

class KeeperRoundsTest {
  @Test
  void aFailureThatCannotBeLoggedEndsNoRounds() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Configuration broken =
        new Configuration(false) {
          @Override
          public String get(String name) {
            reads.incrementAndGet();
            throw new Unloggable();
          }

          @Override
          public String get(String name, String defaultValue) {
            return get(name);
          }

          @Override
          public String getTrimmed(String name) {
            return get(name);
          }
        };
    Configuration keys = new Configuration(false);
    keys.set(KeeperOptions.PERIOD, "100");
    try (KeeperMetrics metrics = new KeeperMetrics();
        KeeperRounds rounds = new KeeperRounds(null, broken, KeeperOptions.of(keys), metrics)) {
      rounds.start();
      Eventually.holds(() -> assertThat(reads).hasValueGreaterThanOrEqualTo(3));
    }
  }
}
