package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.tools.ToolsCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The page {@code /jmx} of Hadoop's own web server, behind SPNEGO and behind SSL. */
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Hadoop 3.4 needs Subject.doAs")
class SecureDaemonsTest {
  private static final String PASSWORD = "changeit";
  private static final String CACHE = "org.fastpath:type=Feature,name=secured";

  @TempDir static Path directory;

  private static MiniKdc kdc;
  private static File keytab;
  private static Path keyStore;
  private static Path trustStore;
  private static Path passwordFile;
  private static HttpServer2 spnego;
  private static HttpServer2 ssl;

  /** The attributes of a feature's MBean. */
  public interface SecuredMBean {
    String getFeature();

    String getModule();

    String getVersion();

    String getState();

    String getReason();
  }

  /** An active feature. */
  public static final class Secured implements SecuredMBean {
    @Override
    public String getFeature() {
      return "secured";
    }

    @Override
    public String getModule() {
      return "a-module";
    }

    @Override
    public String getVersion() {
      return "0.2.0";
    }

    @Override
    public String getState() {
      return "ACTIVE";
    }

    @Override
    public String getReason() {
      return "";
    }
  }

  @BeforeAll
  static void start() throws Exception {
    ManagementFactory.getPlatformMBeanServer().registerMBean(new Secured(), new ObjectName(CACHE));
    kdc = new MiniKdc(MiniKdc.createConf(), directory.resolve("kdc").toFile());
    kdc.start();
    keytab = directory.resolve("all.keytab").toFile();
    kdc.createPrincipal(keytab, "operator", "HTTP/localhost");
    makeStores();
    spnego = spnegoServer();
    ssl = sslServer();
  }

  @AfterAll
  static void stop() throws Exception {
    spnego.stop();
    ssl.stop();
    kdc.stop();
    UserGroupInformation.reset();
    ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(CACHE));
  }

  @Test
  void spnegoLetsAUserWithAKeytabIn() {
    Result result =
        doctor("--principal", "operator@" + kdc.getRealm(), "--keytab", keytab.getPath(), http());
    assertThat(result.text).contains("secured").contains("0 problems, 0 not seen");
    assertThat(result.exitCode).isZero();
  }

  @Test
  void spnegoWithoutATicketIsReported() {
    Result result = doctor(http());
    assertThat(result.text).contains("daemon-wants-login").contains("remedy: kinit");
    assertThat(result.exitCode).isEqualTo(2);
  }

  @Test
  void sslIsTrustedByATrustStore() {
    Result result =
        doctor(
            "--truststore",
            trustStore.toString(),
            "--truststore-password-file",
            passwordFile.toString(),
            https());
    assertThat(result.text).contains("secured").contains("0 problems, 0 not seen");
    assertThat(result.exitCode).isZero();
  }

  @Test
  void sslIsTrustedByTheClientsOwnConfiguration() throws IOException {
    Path conf = Files.createDirectories(directory.resolve("conf"));
    Files.writeString(
        conf.resolve("ssl-client.xml"),
        "<configuration>"
            + property("ssl.client.truststore.location", trustStore.toString())
            + property("ssl.client.truststore.password", PASSWORD)
            + property("ssl.client.truststore.type", "pkcs12")
            + "</configuration>");
    Result result = doctor("--hadoop-conf", conf.toString(), https());
    assertThat(result.text).contains("secured").contains("0 problems, 0 not seen");
  }

  @Test
  void anUnknownCertificateIsReported() {
    Result result = doctor(https());
    assertThat(result.text).contains("daemon-not-trusted").contains("--truststore FILE");
    assertThat(result.exitCode).isEqualTo(2);
  }

  @Test
  void plainHttpToAnSslPortIsReported() {
    Result result = doctor(https().replace("https:", "http:"));
    assertThat(result.text)
        .contains("daemon-answers-otherwise")
        .contains("fastpath doctor " + https());
  }

  private record Result(int exitCode, String text) {}

  private static Result doctor(String... args) {
    StringWriter out = new StringWriter();
    CommandLine line = ToolsCommand.commandLine().setOut(new PrintWriter(out));
    List<String> all = new ArrayList<>(List.of("doctor", "--timeout", "100"));
    all.addAll(List.of(args));
    return new Result(line.execute(all.toArray(String[]::new)), out.toString());
  }

  private static String http() {
    return "http://localhost:" + spnego.getConnectorAddress(0).getPort();
  }

  private static String https() {
    return "https://localhost:" + ssl.getConnectorAddress(0).getPort();
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private static HttpServer2 spnegoServer() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(
        HttpServer2.FILTER_INITIALIZER_PROPERTY, AuthenticationFilterInitializer.class.getName());
    String prefix = "hadoop.http.authentication.";
    conf.set(prefix + "type", "kerberos");
    conf.set(prefix + "simple.anonymous.allowed", "false");
    conf.set(prefix + "kerberos.principal", "HTTP/localhost@" + kdc.getRealm());
    conf.set(prefix + "kerberos.keytab", keytab.getPath());
    conf.set(prefix + "signer.secret.provider", "random");
    Path secret = Files.writeString(directory.resolve("secret"), "a secret of this test");
    conf.set(prefix + "signature.secret.file", secret.toString());
    return started(builder(conf, "http"));
  }

  private static HttpServer2 sslServer() throws IOException {
    return started(
        builder(new Configuration(false), "https")
            .keyStore(keyStore.toString(), PASSWORD, "pkcs12")
            .keyPassword(PASSWORD)
            .trustStore(trustStore.toString(), PASSWORD, "pkcs12"));
  }

  private static HttpServer2.Builder builder(Configuration conf, String scheme) {
    return new HttpServer2.Builder()
        .setName("doctor")
        .addEndpoint(URI.create(scheme + "://localhost:0"))
        .setConf(conf)
        .setFindPort(true);
  }

  private static HttpServer2 started(HttpServer2.Builder builder) throws IOException {
    HttpServer2 server = builder.build();
    server.start();
    return server;
  }

  /** A key for localhost by the JDK's own tool, and a store with its certificate alone. */
  private static void makeStores() throws Exception {
    keyStore = directory.resolve("key.p12");
    trustStore = directory.resolve("trust.p12");
    passwordFile = Files.writeString(directory.resolve("password"), PASSWORD + "\n");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        List.of(
            keytool.toString(),
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "pkcs12",
            "-keystore",
            keyStore.toString(),
            "-storepass",
            PASSWORD);
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    KeyStore keys = KeyStore.getInstance("pkcs12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("pkcs12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    try (OutputStream out = Files.newOutputStream(trustStore)) {
      trusted.store(out, PASSWORD.toCharArray());
    }
  }
}
