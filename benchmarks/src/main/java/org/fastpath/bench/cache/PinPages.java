package org.fastpath.bench.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;

/** The page at which a RegionServer shows what it has pinned. */
final class PinPages {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final String BEAN = "qry=org.fastpath:type=HdfsCachePins";

  private PinPages() {}

  /** The lines of an attribute of its bean, or one that says that there is none. */
  static List<String> lines(String host, int port, String attribute) throws IOException {
    JsonNode lines = fetch(host, port).path("beans").path(0).path(attribute);
    if (!lines.isArray()) {
      return List.of("pins nothing: its log says why, or hdfs-cache-zcr is not put in");
    }
    List<String> texts = new ArrayList<>();
    lines.forEach(line -> texts.add(line.asText()));
    return texts;
  }

  private static JsonNode fetch(String host, int port) throws IOException {
    URI page;
    try {
      page = new URI("http", null, host, port, "/jmx", BEAN, null);
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
