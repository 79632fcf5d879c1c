package org.fastpath.tools.jmx;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;

/** The page {@code /jmx} of a RegionServer, DataNode or any other daemon of Hadoop. */
public final class JmxPage {
  private static final int TIMEOUT_MILLIS = 20_000;

  private JmxPage() {}

  /** The bean of that name; a missing node if there is none. */
  public static JsonNode bean(String host, int port, String name) throws IOException {
    return fetch(host, port, "qry=" + name).path("beans").path(0);
  }

  /** The beans whose names match a pattern. */
  public static JsonNode beans(String host, int port, String pattern) throws IOException {
    return fetch(host, port, "qry=" + pattern).path("beans");
  }

  private static JsonNode fetch(String host, int port, String query) throws IOException {
    URI page;
    try {
      page = new URI("http", null, host, port, "/jmx", query, null);
    } catch (URISyntaxException e) {
      throw new IOException("a server is named " + host + ", which is no host", e);
    }
    HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      return new JsonMapper().readTree(in);
    } catch (ConnectException e) {
      throw new IOException(page + " does not answer", e);
    }
  }
}
