package org.fastpath.metrics.region;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.fastpath.cluster.Daemon;

/**
 * The records of a source as the /jmx page shows them: in one bean, numbered from the second on.
 */
final class JmxRecords {
  private static final Pattern NUMBERED = Pattern.compile("(.+?)(?:\\.(\\d+))?");

  private JmxRecords() {}

  /** Returns the names of the beans that a pattern finds. */
  static List<String> beans(Daemon daemon, String pattern) throws IOException {
    List<String> names = new ArrayList<>();
    for (JsonObject bean : query(daemon, pattern)) {
      names.add(bean.get("name").getAsString());
    }
    return names;
  }

  /** Returns the records of a source of a RegionServer; none while Metrics2 restarts. */
  static Collection<Map<String, String>> of(Daemon regionServer, String source) throws IOException {
    Map<String, Map<String, String>> records = new TreeMap<>();
    for (JsonObject bean :
        query(regionServer, "Hadoop:service=HBase,name=RegionServer,sub=" + source)) {
      for (Map.Entry<String, JsonElement> attribute : bean.entrySet()) {
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

  private static List<JsonObject> query(Daemon daemon, String pattern) throws IOException {
    List<JsonObject> beans = new ArrayList<>();
    JsonParser.parseString(daemon.jmx(pattern))
        .getAsJsonObject()
        .getAsJsonArray("beans")
        .forEach(bean -> beans.add(bean.getAsJsonObject()));
    return beans;
  }
}
