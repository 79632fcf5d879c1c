package org.fastpath.tools.jmx;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;

/**
 * Reads the page {@code /jmx} of daemons.
 *
 * <p>If a daemon requires SPNEGO, Hadoop's own authenticator repeats the request. It uses the
 * tickets of the caller's subject or of the ticket cache. The cookie is kept for further requests.
 * Thread-safe.
 */
public final class WebClient {
  /** The maximum length of a page. The requested beans need a few hundred KB. */
  private static final int MAX_PAGE_BYTES = 64 << 20;

  private static final int PIECE = 1 << 14;
  private static final String NEGOTIATE = "Negotiate";

  private final ConnectionConfigurator ssl;
  private final Map<String, AuthenticatedURL.Token> tokens = new ConcurrentHashMap<>();

  /** A server that answers with an error. */
  public static final class HttpException extends IOException {
    private static final long serialVersionUID = 1;

    private final int code;

    HttpException(URL page, int code, String message) {
      super(page + " answers with " + code + " " + message);
      this.code = code;
    }

    /** Its status code. */
    public int code() {
      return code;
    }
  }

  /**
   * Makes a client.
   *
   * @param ssl sets up connections by https, as Hadoop's SSLFactory does
   */
  public WebClient(ConnectionConfigurator ssl) {
    this.ssl = ssl;
  }

  /** Returns the beans that match a query. */
  public JsonNode beans(String address, String query, Deadline deadline)
      throws IOException, AuthenticationException {
    URL page = page(address, query);
    HttpURLConnection connection = connect(address, page, deadline);
    int code = connection.getResponseCode();
    if (code != HttpURLConnection.HTTP_OK) {
      drain(connection.getErrorStream(), deadline);
      throw new HttpException(page, code, connection.getResponseMessage());
    }
    return new JsonMapper().readTree(read(connection.getInputStream(), deadline)).path("beans");
  }

  private static URL page(String address, String query) throws IOException {
    String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    return URI.create(address + "/jmx?qry=" + encoded).toURL();
  }

  private HttpURLConnection connect(String address, URL page, Deadline deadline)
      throws IOException, AuthenticationException {
    if (!tokens.containsKey(address)) {
      HttpURLConnection plain =
          configure((HttpURLConnection) page.openConnection(Proxy.NO_PROXY), deadline);
      if (!asksForTicket(plain)) {
        return plain;
      }
      drain(plain.getErrorStream(), deadline);
    }
    AuthenticatedURL.Token token =
        tokens.computeIfAbsent(address, a -> new AuthenticatedURL.Token());
    ConnectionConfigurator configurator = connection -> configure(connection, deadline);
    return new AuthenticatedURL(new KerberosAuthenticator(), configurator)
        .openConnection(page, token);
  }

  private static boolean asksForTicket(HttpURLConnection connection) throws IOException {
    if (connection.getResponseCode() != HttpURLConnection.HTTP_UNAUTHORIZED) {
      return false;
    }
    String scheme = connection.getHeaderField("WWW-Authenticate");
    return scheme != null && scheme.trim().startsWith(NEGOTIATE);
  }

  private HttpURLConnection configure(HttpURLConnection connection, Deadline deadline)
      throws IOException {
    HttpURLConnection configured = ssl.configure(connection);
    configured.setConnectTimeout(deadline.millis());
    configured.setReadTimeout(deadline.millis());
    configured.setInstanceFollowRedirects(false);
    return configured;
  }

  /** A connection is used again only if its page was read to the end. */
  private static void drain(InputStream in, Deadline deadline) throws IOException {
    if (in != null) {
      read(in, deadline);
    }
  }

  /**
   * Reads a page and checks the deadline between pieces, because a server may send a byte a second
   * for ever.
   */
  private static byte[] read(InputStream in, Deadline deadline) throws IOException {
    try (in) {
      ByteArrayOutputStream page = new ByteArrayOutputStream();
      byte[] piece = new byte[PIECE];
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        page.write(piece, 0, n);
        deadline.millis();
        if (page.size() > MAX_PAGE_BYTES) {
          throw new IOException("the page is longer than " + MAX_PAGE_BYTES + " bytes");
        }
      }
      return page.toByteArray();
    }
  }
}
