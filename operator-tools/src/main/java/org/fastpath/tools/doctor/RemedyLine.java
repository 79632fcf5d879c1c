package org.fastpath.tools.doctor;

import java.util.ArrayList;
import java.util.List;
import org.fastpath.tools.conf.SiteProperty;

/** Makes the lines that fix problems. */
final class RemedyLine {
  static final String HBASE_SITE = "hbase-site.xml";
  static final String HDFS_SITE = "hdfs-site.xml";
  static final String CORE_SITE = "core-site.xml";

  private RemedyLine() {}

  /** Returns a property to set in a file. */
  static String set(String file, String key, String value) {
    return file + ": " + xml(key, value);
  }

  /** Returns a property that replaces an existing one. */
  static String replace(SiteProperty property, String key, String value) {
    return property.place() + ": " + xml(key, value);
  }

  /** Returns a key's list of classes with one more at its end. */
  static String add(ConfDirectory directory, String key, String className) {
    List<String> classes = new ArrayList<>(directory.site().list(key));
    if (!key.endsWith("classes") && !key.endsWith("additionalCostFunctions")) {
      classes.clear();
    }
    classes.add(className);
    return set(directory.siteFile(), key, String.join(",", classes));
  }

  /** Returns a key's list of classes without one of them. */
  static String without(ConfDirectory directory, String key, String className) {
    List<String> classes = new ArrayList<>(directory.site().list(key));
    classes.remove(className);
    SiteProperty property = directory.site().property(key).orElseThrow();
    return classes.isEmpty() ? remove(property) : replace(property, key, String.join(",", classes));
  }

  /** Returns a property to remove. */
  static String remove(SiteProperty property) {
    return property.place() + ": remove " + xml(property.name(), property.value());
  }

  /** Returns a variable to set in an environment file. */
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
