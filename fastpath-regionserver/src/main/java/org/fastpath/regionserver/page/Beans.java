package org.fastpath.regionserver.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads metrics and statuses of features from an MBean server. A missing bean is empty. Its feature
 * may be off, and HBase removes all beans for a moment after a region was opened.
 */
final class Beans {
  private static final Logger LOG = LoggerFactory.getLogger(Beans.class);
  private static final String METRICS = "Hadoop:service=HBase,name=RegionServer,sub=";
  private static final String FEATURES = "org.fastpath:type=Feature,name=*";

  /** Metrics2 numbers the attributes of all records of a source but the first. */
  private static final Pattern NUMBERED = Pattern.compile("(.+)\\.(\\d+)");

  private final MBeanServer server;

  Beans(MBeanServer server) {
    this.server = server;
  }

  /** One record of a source: its tags and metrics by name. */
  record Record(Map<String, Object> values) {
    static final Record EMPTY = new Record(Map.of());

    /** Returns whether the bean exists. */
    boolean isThere() {
      return !values.isEmpty();
    }

    /** Returns a metric, 0 if there is none. */
    long number(String metric) {
      return numberOr(0, metric);
    }

    /** Returns a metric, or another value if there is none. */
    long numberOr(long otherwise, String metric) {
      return values.get(metric) instanceof Number number ? number.longValue() : otherwise;
    }

    /** Returns a tag, or an attribute that is a text; empty if there is none. */
    String text(String name) {
      Object tag = values.getOrDefault("tag." + name, values.get(name));
      return tag == null ? "" : tag.toString();
    }

    /** Returns the table of the record, with its namespace unless that is the default. */
    String table() {
      String namespace = text("namespace");
      return namespace.isEmpty() || namespace.equals("default")
          ? text("table")
          : namespace + ":" + text("table");
    }
  }

  /** Returns some attributes of a source of the RegionServer that has one record. */
  Record record(String source, String... attributes) {
    try {
      return new Record(read(new ObjectName(METRICS + source), attributes));
    } catch (JMException | RuntimeException e) {
      return absent(source, e);
    }
  }

  private static Record absent(String source, Exception e) {
    LOG.debug("No metrics of {}", source, e);
    return Record.EMPTY;
  }

  /** Returns all records of a source of the RegionServer. */
  List<Record> records(String source) {
    try {
      return split(all(new ObjectName(METRICS + source)));
    } catch (JMException | RuntimeException e) {
      absent(source, e);
      return List.of();
    }
  }

  /** Returns the status of each feature that has published one, by name. */
  List<Record> features() {
    try {
      Set<ObjectName> names = server.queryNames(new ObjectName(FEATURES), null);
      Map<String, Record> byName = new TreeMap<>();
      for (ObjectName name : names) {
        Record feature = feature(name);
        if (feature.isThere()) {
          byName.put(feature.text("Feature"), feature);
        }
      }
      return List.copyOf(byName.values());
    } catch (JMException | RuntimeException e) {
      LOG.debug("No features", e);
      return List.of();
    }
  }

  private Record feature(ObjectName name) {
    try {
      return new Record(read(name, "Feature", "Module", "Version", "State", "Reason"));
    } catch (JMException | RuntimeException e) {
      return absent(name.toString(), e);
    }
  }

  private Map<String, Object> all(ObjectName name) throws JMException {
    String[] attributes =
        Arrays.stream(server.getMBeanInfo(name).getAttributes())
            .map(MBeanAttributeInfo::getName)
            .toArray(String[]::new);
    return read(name, attributes);
  }

  private Map<String, Object> read(ObjectName name, String... attributes) throws JMException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Attribute attribute : server.getAttributes(name, attributes).asList()) {
      // Metrics2 answers with null for an attribute that it does not have.
      if (attribute != null) {
        values.put(attribute.getName(), attribute.getValue());
      }
    }
    return values;
  }

  private static List<Record> split(Map<String, Object> values) {
    Map<Integer, Map<String, Object>> byNumber = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          Matcher numbered = NUMBERED.matcher(name);
          boolean first = !numbered.matches();
          byNumber
              .computeIfAbsent(
                  first ? 0 : Integer.parseInt(numbered.group(2)), number -> new LinkedHashMap<>())
              .put(first ? name : numbered.group(1), value);
        });
    List<Record> records = new ArrayList<>();
    byNumber.values().forEach(record -> records.add(new Record(record)));
    return Collections.unmodifiableList(records);
  }
}
