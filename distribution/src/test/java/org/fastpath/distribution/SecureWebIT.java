package org.fastpath.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.fastpath.cluster.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;

/**
 * The archive's doctor and the page {@code /fastpath}, where every daemon's web server asks for
 * SPNEGO and HBase's pages are read-only.
 */
@EnabledIfSystemProperty(named = "nightly", matches = "true")
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Hadoop 3.4 needs Subject.doAs")
class SecureWebIT {
  private static final String HTTP = "HTTP/localhost";
  private static final String OPERATOR = "operator";

  private Path root;
  private ApacheTrees trees;
  private Archive archive;
  private MiniKdc kdc;
  private File keytab;

  @BeforeEach
  void layOut() throws Exception {
    root = Files.createTempDirectory("fp");
    trees = new ApacheTrees(root.resolve("installation"), root.resolve("data"));
    archive = Archive.unpackedIn(root.resolve("downloads"));
    kdc = new MiniKdc(MiniKdc.createConf(), root.resolve("kdc").toFile());
    kdc.start();
    keytab = root.resolve("all.keytab").toFile();
    // The NameNode lists the DataNode by its number.
    kdc.createPrincipal(keytab, HTTP, "HTTP/127.0.0.1", OPERATOR);
    Path secret = Files.writeString(root.resolve("secret"), "a secret of this test");
    trees.configure(
        hbase(secret), hadoop(secret), "-Djava.security.krb5.conf=" + kdc.getKrb5conf());
  }

  private Map<String, String> hbase(Path secret) {
    String prefix = "hbase.security.authentication.";
    return Map.of(
        prefix + "ui",
        "kerberos",
        prefix + "spnego.kerberos.principal",
        principal(HTTP),
        prefix + "spnego.kerberos.keytab",
        keytab.getPath(),
        prefix + "signature.secret.file",
        secret.toString(),
        "hbase.master.ui.readonly",
        "true");
  }

  private Map<String, String> hadoop(Path secret) {
    String prefix = "hadoop.http.authentication.";
    return Map.of(
        "hadoop.http.filter.initializers",
        AuthenticationFilterInitializer.class.getName(),
        prefix + "type",
        "kerberos",
        prefix + "simple.anonymous.allowed",
        "false",
        prefix + "kerberos.principal",
        "*",
        prefix + "kerberos.keytab",
        keytab.getPath(),
        prefix + "signature.secret.file",
        secret.toString());
  }

  private String principal(String name) {
    return name + "@" + kdc.getRealm();
  }

  @AfterEach
  void remove() throws IOException {
    kdc.stop();
    UserGroupInformation.reset();
    try (Stream<Path> files = Files.walk(root)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    }
  }

  @Test
  void theDoctorAndThePageWorkForAUserWithATicket() throws Exception {
    List<String> install =
        List.of("install", "--yes", "--role", "regionserver,master,datanode,namenode");
    List<String> sizes =
        List.of("--cache-size", "64m", "--locked-memory", "4m", "--pin-limit", "3m");
    List<String> homes = List.of("--hbase", trees.hbase() + "", "--hadoop", trees.hadoop() + "");
    assertEnds(0, install, sizes, homes);
    List<String> doctor =
        List.of(
            "doctor",
            "--master",
            "localhost:" + trees.port("master.http"),
            "--namenode",
            "localhost:" + trees.port("namenode.http"));
    List<String> ticket = List.of("--principal", principal(OPERATOR), "--keytab", keytab.getPath());
    try (Daemons daemons = new Daemons(trees)) {
      daemons.start();
      try {
        Eventually.holds(
            () -> assertThat(assertEnds(0, doctor, ticket, homes)).contains("zero-copy"));
        assertThat(assertEnds(2, doctor, homes)).contains("daemon-wants-login");
        checkPage();
      } catch (AssertionError | Exception e) {
        System.err.println(daemons.logs());
        throw e;
      }
    }
  }

  @SafeVarargs
  private String assertEnds(int exit, List<String>... arguments) throws Exception {
    List<String> all = new ArrayList<>();
    List.of(arguments).forEach(all::addAll);
    Map<String, String> environment =
        Map.of("JAVA_TOOL_OPTIONS", "-Djava.security.krb5.conf=" + kdc.getKrb5conf());
    Commands.Run run = archive.fastpath(environment, all);
    assertThat(run.exit()).as(run.printed()).isEqualTo(exit);
    return run.printed();
  }

  private void checkPage() throws Exception {
    String address = "http://localhost:" + trees.port("regionserver.http") + "/fastpath";
    URL page = URI.create(address).toURL();
    HttpURLConnection anonymous = (HttpURLConnection) page.openConnection();
    assertThat(anonymous.getResponseCode()).isEqualTo(HttpURLConnection.HTTP_UNAUTHORIZED);
    Configuration conf = new Configuration(false);
    conf.set("hadoop.security.authentication", "kerberos");
    UserGroupInformation.setConfiguration(conf);
    String html =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal(OPERATOR), keytab.getPath())
            .doAs((PrivilegedExceptionAction<String>) () -> read(page));
    assertThat(html).contains("<h1>Fast Path", "zero-copy").doesNotContain("<form", "<script");
  }

  private static String read(URL page) throws Exception {
    AuthenticatedURL client = new AuthenticatedURL(new KerberosAuthenticator());
    HttpURLConnection connection = client.openConnection(page, new AuthenticatedURL.Token());
    return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
