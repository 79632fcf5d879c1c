package org.fastpath.tools.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fastpath.tools.conf.ClassPath;
import org.fastpath.tools.conf.EnvFile;
import org.fastpath.tools.conf.Site;
import org.fastpath.tools.conf.SiteProperty;

/**
 * A configuration directory that was read.
 *
 * @param hbase whether it is HBase's; otherwise it is Hadoop's
 * @param classPath the jars of the installation, empty if only the directory is known
 */
record ConfDirectory(
    Path directory, boolean hbase, Site site, EnvFile env, Optional<ClassPath> classPath) {

  /** Returns the site file in which keys of ours belong. */
  String siteFile() {
    return hbase ? RemedyLine.HBASE_SITE : RemedyLine.HDFS_SITE;
  }

  /** Its environment file. */
  String envFile() {
    return hbase ? "hbase-env.sh" : "hadoop-env.sh";
  }

  boolean is(String key, String value) {
    return site.value(key).filter(value::equals).isPresent();
  }

  boolean has(String key) {
    return site.value(key).isPresent();
  }

  /** Returns whether a key that lists classes has this one. */
  boolean lists(String key, String className) {
    List<String> classes = site.list(key);
    return classes.stream().anyMatch(name -> beforeBar(name).equals(className));
  }

  /** Returns the class name. A coprocessor may have a priority after a bar. */
  private static String beforeBar(String name) {
    int bar = name.indexOf('|');
    return bar < 0 ? name : name.substring(0, bar);
  }

  /** Returns the place of a key: a file and its line, or the directory. */
  String place(String key) {
    return site.property(key).map(SiteProperty::place).orElse(directory.toString());
  }
}
