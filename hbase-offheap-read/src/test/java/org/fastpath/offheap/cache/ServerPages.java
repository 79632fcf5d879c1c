package org.fastpath.offheap.cache;

import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;

/** The metrics and pages of a RegionServer. */
public final class ServerPages {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=";
  private static final Pattern NUMBERED = Pattern.compile("(.+?)(?:\\.(\\d+))?");

  private final Daemon server;

  public ServerPages(Daemon server) {
    this.server = server;
  }

  /** Returns whether there is a bean. */
  public boolean shows(String source) throws IOException {
    return server.jmx(BEAN + source).contains("\"modelerType\"");
  }

  /**
   * Returns a number of a bean, as soon as it is shown: HBase takes all beans away for half a
   * second, some seconds after a region was opened or closed.
   */
  public long metric(String source, String name) throws Exception {
    return Eventually.shown(server, BEAN + source, name);
  }

  /** Returns the records of an aggregate source: in one bean, numbered from the second on. */
  Collection<Map<String, String>> records(String source) throws IOException {
    Map<String, Map<String, String>> records = new TreeMap<>();
    for (JsonElement bean :
        JsonParser.parseString(server.jmx(BEAN + source))
            .getAsJsonObject()
            .getAsJsonArray("beans")) {
      for (Map.Entry<String, JsonElement> attribute : ((JsonObject) bean).entrySet()) {
        Matcher matcher = NUMBERED.matcher(attribute.getKey());
        if (matcher.matches() && attribute.getValue().isJsonPrimitive()) {
          records
              .computeIfAbsent(String.valueOf(matcher.group(2)), number -> new HashMap<>())
              .put(matcher.group(1), attribute.getValue().getAsString());
        }
      }
    }
    return records.values();
  }

  /** Returns the status page, with a query that begins with a question mark, or none. */
  String status(String query) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + "/rs-status" + query);
    try (InputStream in = uri.toURL().openConnection(Proxy.NO_PROXY).getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
