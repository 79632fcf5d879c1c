package org.fastpath.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The /jmx page of a Hadoop or HBase web server. */
final class Jmx {
  private static final int TIMEOUT_MILLIS = 60_000;

  private Jmx() {}

  /** Returns the page as JSON. */
  static String fetch(int port, String query) throws IOException {
    URI uri =
        URI.create(
            "http://127.0.0.1:"
                + port
                + "/jmx?qry="
                + URLEncoder.encode(query, StandardCharsets.UTF_8));
    // Uses neither a thread per client nor a proxy, which a cluster on loopback never needs.
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns the first attribute of that name: a string without its quotes, or a number as text. */
  static Optional<String> attribute(String json, String name) {
    Matcher matcher =
        Pattern.compile(
                "\""
                    + Pattern.quote(name)
                    + "\"\\s*:\\s*(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^,\\s}]++))")
            .matcher(json);
    if (!matcher.find()) {
      return Optional.empty();
    }
    String text = matcher.group(1);
    return Optional.of(text == null ? matcher.group(2) : text.replaceAll("\\\\(.)", "$1"));
  }
}
