package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A failure stays in the coprocessor: HBase aborts a RegionServer when one throws. */
class CachePinningTest {
  private static final ServerName SERVER = ServerName.valueOf("localhost", 1, 1);

  @ParameterizedTest
  @CsvSource({
    PinOptions.POLICY + ", SOMETIMES",
    PinOptions.ENABLED + ", false",
    "hbase.rootdir, file:///tmp/hbase",
    "hbase.rootdir, nonsense://host/",
  })
  void nothingIsPinnedAndNothingThrown(String key, String value) {
    Configuration conf = new Configuration();
    conf.set("hbase.rootdir", "file:///tmp/hbase");
    conf.set(key, value);
    CachePinning coprocessor = new CachePinning();
    assertThatCode(
            () -> {
              coprocessor.start(environment(conf));
              assertThat(PinService.of(SERVER)).isEmpty();
              coprocessor.stop(environment(conf));
            })
        .doesNotThrowAnyException();
  }

  private static RegionServerCoprocessorEnvironment environment(Configuration conf) {
    return (RegionServerCoprocessorEnvironment)
        Proxy.newProxyInstance(
            CachePinningTest.class.getClassLoader(),
            new Class<?>[] {RegionServerCoprocessorEnvironment.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getConfiguration" -> conf;
                  case "getServerName" -> SERVER;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
