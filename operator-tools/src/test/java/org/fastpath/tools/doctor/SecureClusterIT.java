package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.security.provider.SaslClientAuthenticationProviders;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Kdc;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.tools.ToolsCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

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
            .beforeHBase(SecureClusterIT::prepare)
            .start();
    UserGroupInformation.reset();
  }

  /** Makes HBase's directory, as the superuser of HDFS. */
  private static void prepare(Map<String, String> client) throws IOException {
    Configuration conf = new HdfsConfiguration();
    client.forEach(conf::set);
    try {
      kdc.become("hdfs/localhost", conf);
    } catch (Exception e) {
      throw new IOException(e);
    }
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
      org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/hbase");
      fs.mkdirs(root);
      fs.setOwner(root, "hbase", "hbase");
    }
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
    StringWriter out = new StringWriter();
    CommandLine line = ToolsCommand.commandLine().setOut(new PrintWriter(out));
    List<String> args =
        new ArrayList<>(
            List.of(
                "doctor",
                "--cluster",
                "--hbase-conf",
                cluster.daemon(Role.REGIONSERVER, 0).confDir().toString(),
                "--hadoop-conf",
                cluster.daemon(Role.NAMENODE, 0).confDir().toString()));
    args.addAll(List.of(more));
    line.execute(args.toArray(String[]::new));
    return out.toString();
  }
}
