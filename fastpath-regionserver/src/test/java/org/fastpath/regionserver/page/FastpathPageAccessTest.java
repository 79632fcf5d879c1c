package org.fastpath.regionserver.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in HBase's own web server, by its rules of access. */
class FastpathPageAccessTest {
  private static final String LOCALHOST = "localhost";
  private static final String READ_ONLY = "hbase.master.ui.readonly";

  @TempDir private Path directory;
  private final Configuration conf = new Configuration(false);
  private InfoServer server;
  private MiniKdc kdc;

  /** Stands for HBase's page, with its menu. */
  public static final class Status extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getParameter("error") != null) {
        response.getWriter().write("half a page");
        response.sendError(HttpServletResponse.SC_CONFLICT);
        return;
      }
      response.setContentType("text/html;charset=UTF-8");
      PrintWriter out = response.getWriter();
      out.write(
          "<ul><li class=\"nav-item\"><a class=\"nav-link\" href=\"/dump\">Dump</a></li></ul>");
    }
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.stop();
    }
    if (kdc != null) {
      kdc.stop();
      UserGroupInformation.reset();
    }
  }

  private void start() throws IOException {
    conf.set(MenuFilter.KEY, "org.apache.hadoop.hbase.http.lib.StaticUserWebFilter");
    conf.set("hbase.http.staticuser.user", "dr.stack");
    MenuFilter.addTo(conf);
    MenuFilter.addTo(conf);
    server = new InfoServer("regionserver", LOCALHOST, 0, false, conf);
    server.addUnprivilegedServlet("rs-status", "/rs-status", Status.class);
    FastpathPage.addTo(server, new History(new Beans(ManagementFactory.getPlatformMBeanServer())));
    server.start();
  }

  @Test
  void everybodySeesItWithoutAuthentication() throws IOException {
    start();
    String page = read(open("/fastpath"));
    assertThat(page).startsWith("<!DOCTYPE html>").contains("<h1>Fast Path");
    assertThat(open("/fastpath").getHeaderField("X-Frame-Options")).isEqualTo("DENY");
    assertThat(open("/fastpath").getContentType()).startsWith("text/html");
  }

  @Test
  void theMenuLinksToItOnce() throws IOException {
    start();
    assertThat(read(open("/rs-status")))
        .containsOnlyOnce(
            "<li class=\"nav-item\"><a class=\"nav-link\" href=\"/fastpath\">Fast Path</a></li>")
        .contains("href=\"/dump\">Dump</a>");
    HttpURLConnection failed = open("/rs-status?error=1");
    assertThat(failed.getResponseCode()).isEqualTo(HttpServletResponse.SC_CONFLICT);
    assertThat(new String(failed.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .doesNotContain("half a page");
  }

  @Test
  void aReadOnlyInterfaceShowsTheSamePage() throws IOException {
    conf.setBoolean(READ_ONLY, true);
    start();
    String page = read(open("/fastpath"));
    assertThat(page).contains("<h1>Fast Path").doesNotContain("<form", "<button", "method=");
  }

  @Test
  void nothingIsChangedByIt() throws IOException {
    start();
    HttpURLConnection post = open("/fastpath");
    post.setRequestMethod("POST");
    assertThat(post.getResponseCode()).isEqualTo(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
  }

  @Test
  void withKerberosOneNeedsATicket() throws Exception {
    secure();
    start();
    HttpURLConnection anonymous = open("/fastpath");
    assertThat(anonymous.getResponseCode()).isEqualTo(HttpServletResponse.SC_UNAUTHORIZED);
    assertThat(anonymous.getHeaderField("WWW-Authenticate")).startsWith("Negotiate");
    assertThat(readAs("alice", "/fastpath")).contains("<h1>Fast Path");
    assertThat(readAs("alice", "/rs-status")).contains("href=\"/fastpath\"");
  }

  private void secure() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), directory.resolve("kdc").toFile());
    kdc.start();
    File keytab = directory.resolve("test.keytab").toFile();
    kdc.createPrincipal(keytab, "HTTP/localhost", "alice");
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hbase.security.authentication.ui", "kerberos");
    conf.set(
        "hbase.security.authentication.spnego.kerberos.principal",
        "HTTP/localhost@" + kdc.getRealm());
    conf.set("hbase.security.authentication.spnego.kerberos.keytab", keytab.getPath());
    Path secret = Files.writeString(directory.resolve("secret"), "a secret of the test");
    conf.set("hbase.security.authentication.signature.secret.file", secret.toString());
    UserGroupInformation.setConfiguration(conf);
  }

  private String readAs(String user, String path) throws Exception {
    UserGroupInformation ticket =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            user + "@" + kdc.getRealm(), directory.resolve("test.keytab").toString());
    return ticket.doAs(
        (PrivilegedExceptionAction<String>)
            () ->
                read(
                    new AuthenticatedURL(new KerberosAuthenticator())
                        .openConnection(url(path), new AuthenticatedURL.Token())));
  }

  private HttpURLConnection open(String path) throws IOException {
    return (HttpURLConnection) url(path).openConnection();
  }

  @SuppressWarnings("deprecation")
  private URL url(String path) throws IOException {
    return URI.create("http://" + LOCALHOST + ":" + server.getPort() + path).toURL();
  }

  private static String read(HttpURLConnection connection) throws IOException {
    return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
