package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.hbase.security.provider.SaslClientAuthenticationProviders;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Kdc;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The doctor finds the daemons of a cluster whose HBase and HDFS ask for Kerberos tickets. */
@EnabledIfSystemProperty(named = "nightly", matches = "true")
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Hadoop 3.4 needs Subject.doAs")
class SecureClusterIT {
  private static final String OPERATOR = "operator";

  @TempDir static Path directory;

  private static Kdc kdc;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    SaslClientAuthenticationProviders.reset();
    kdc = Kdc.start(directory, OPERATOR);
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .regionServers(2)
            .kerberos(kdc.kerberos())
            .beforeHBase(client -> kdc.makeHBaseRoot(client).close())
            .start();
    UserGroupInformation.reset();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    kdc.close();
    SaslClientAuthenticationProviders.reset();
  }

  @Test
  void theClusterIsFoundWithTheTicketOfAKeytabOnly() throws Exception {
    String keytab = kdc.kerberos().keytab().toString();
    String principal = kdc.kerberos().principal(OPERATOR);
    Eventually.holds(
        () ->
            assertThat(doctor("--principal", principal, "--keytab", keytab))
                .contains(address(Role.MASTER, 0), address(Role.DATANODE, 0))
                .contains(address(Role.REGIONSERVER, 0), address(Role.REGIONSERVER, 1))
                .doesNotContain("cluster-unreachable", "cluster-wants-login"));
    UserGroupInformation.reset();
    assertThat(doctor())
        .contains("cluster-wants-login", "kinit, or the options --principal NAME --keytab FILE")
        .doesNotContain(address(Role.REGIONSERVER, 0), "start master");
  }

  private static String address(Role role, int number) {
    return ":" + cluster.daemon(role, number).httpPort();
  }

  private static String doctor(String... more) {
    return DoctorRun.of(cluster, more).printed();
  }
}
