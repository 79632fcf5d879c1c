package org.fastpath.tools.doctor;

import java.util.ArrayList;
import java.util.List;
import org.fastpath.tools.conf.SiteProperty;

/** Makes the lines that mend problems. */
final class Mend {
  static final String HBASE_SITE = "hbase-site.xml";
  static final String HDFS_SITE = "hdfs-site.xml";
  static final String CORE_SITE = "core-site.xml";

  private Mend() {}

  /** A property to be set in a file. */
  static String set(String file, String key, String value) {
    return file + ": " + xml(key, value);
  }

  /** A property to be set in place of one that is there. */
  static String replace(SiteProperty property, String key, String value) {
    return property.place() + ": " + xml(key, value);
  }

  /** A class to be named by a key, behind those that the key names already. */
  static String add(ConfDirectory directory, String key, String className) {
    List<String> classes = new ArrayList<>(directory.site().list(key));
    if (!key.endsWith("classes") && !key.endsWith("additionalCostFunctions")) {
      classes.clear();
    }
    classes.add(className);
    return set(directory.siteFile(), key, String.join(",", classes));
  }

  /** A class to be taken out of those that a key names. */
  static String without(ConfDirectory directory, String key, String className) {
    List<String> classes = new ArrayList<>(directory.site().list(key));
    classes.remove(className);
    SiteProperty property = directory.site().property(key).orElseThrow();
    return classes.isEmpty() ? remove(property) : replace(property, key, String.join(",", classes));
  }

  /** A property that has to go. */
  static String remove(SiteProperty property) {
    return property.place() + ": remove " + xml(property.name(), property.value());
  }

  /** A variable to be set in an environment file. */
  static String export(String file, String variable, String value) {
    return file + ": export " + variable + "=" + value;
  }

  static String xml(String key, String value) {
    return "<property><name>" + key + "</name><value>" + escape(value) + "</value></property>";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
