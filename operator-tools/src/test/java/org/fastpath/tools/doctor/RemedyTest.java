package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fastpath.tools.conf.Role;
import org.junit.jupiter.api.Test;

class RemedyTest {
  private static final KnownKeys KEYS = KnownKeys.load();

  @Test
  void aReasonThatSaysWhatToSetIsFollowed() {
    assertThat(remedy("dfs.client.read.shortcircuit is false; set it to true, here and there"))
        .isEqualTo(RemedyLine.set(RemedyLine.HBASE_SITE, "dfs.client.read.shortcircuit", "true"));
    assertThat(remedy("fs.hdfs.impl is com.example.Fs; remove that key to switch it on"))
        .isEqualTo("hbase-site.xml: remove " + RemedyLine.xml("fs.hdfs.impl", "com.example.Fs"));
  }

  @Test
  void aWrongValueIsReplacedByTheNearestThatIsAllowed() {
    assertThat(remedy("dfs.fastpath.zcr.max-mappings is 0, allowed is 1 to 1000000"))
        .isEqualTo(RemedyLine.set(RemedyLine.HBASE_SITE, "dfs.fastpath.zcr.max-mappings", "1"));
  }

  @Test
  void anotherVersionIsTheLineWhereCodeIsMissing() {
    assertThat(remedy("in HBase 2.7.0, HStore#x is missing"))
        .isEqualTo("run a version of HBase with which docs/operate/versions.md has cache on");
    assertThat(remedy("HBase 2.7.0 is not a verified version"))
        .startsWith("run a version of HBase");
  }

  @Test
  void aCommandInTheReasonIsTheLine() {
    assertThat(remedy("the pool p has limit 0: hdfs cacheadmin -modifyPool p -limit BYTES"))
        .isEqualTo("hdfs cacheadmin -modifyPool p -limit BYTES");
  }

  @Test
  void otherwiseTheLogIsTheLine() {
    assertThat(remedy("the device is gone"))
        .isEqualTo("grep -i 'cache' in the log of regionserver rs1:16030");
  }

  private static String remedy(String reason) {
    FeatureReport feature =
        new FeatureReport(
            "cache", "hbase-offheap-read", "0.2.0", FeatureReport.FALLEN_BACK, reason);
    DaemonReport daemon =
        new DaemonReport(
            "http://rs1:16030",
            Optional.of(Role.REGIONSERVER),
            Optional.empty(),
            List.of(feature),
            Map.of());
    return Remedy.of(feature, daemon, KEYS);
  }
}
