package org.fastpath.tiered.regionserver.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.junit.jupiter.api.Test;

class TierGuardTest {
  private final Configuration conf = new Configuration(false);
  private final List<String> asked = new ArrayList<>();

  /** One that tells the configuration and fails when it is asked for anything else. */
  private RegionServerCoprocessorEnvironment environment() {
    return (RegionServerCoprocessorEnvironment)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RegionServerCoprocessorEnvironment.class},
            (proxy, method, arguments) -> {
              asked.add(method.getName());
              if (method.getName().equals("getConfiguration")) {
                return conf;
              }
              throw new IllegalStateException(method.getName());
            });
  }

  @Test
  void aWrongKeyLeavesTheServerAlone() {
    conf.set(GuardOptions.SUSTAINED_SECONDS, "often");
    assertThatCode(() -> new TierGuard().start(environment())).doesNotThrowAnyException();
    assertThat(asked).containsExactly("getConfiguration");
  }

  @Test
  void oneThatIsOffDoesNothing() {
    conf.set(GuardOptions.ENABLED, "false");
    new TierGuard().start(environment());
    assertThat(asked).containsExactly("getConfiguration");
  }

  @Test
  void aServerThatTellsNothingIsLeftAlone() {
    assertThatCode(() -> new TierGuard().start(environment())).doesNotThrowAnyException();
    assertThat(asked).containsExactly("getConfiguration", "getOnlineRegions");
  }
}
