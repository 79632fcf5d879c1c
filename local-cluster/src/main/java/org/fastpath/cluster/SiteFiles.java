package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Writes the configuration directory of one process. */
final class SiteFiles {
  /**
   * Logs to standard error, which goes into the process's log file together with the JVM's own
   * messages. So the log also has the message of a JVM that fails at a wrong flag or without
   * memory.
   */
  private static final String LOG4J =
      """
      log4j.rootLogger=%s,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.target=System.err
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%%d{ISO8601} %%-5p [%%t] %%c{2}: %%m%%n
      log4j.logger.org.apache.hadoop.metrics2.impl.MetricsConfig=ERROR
      log4j.logger.http.requests=WARN
      log4j.logger.org.apache.hadoop.hbase.PerformanceEvaluation=INFO
      """;

  /** The /jmx page shows values up to one period old, by default 10 s. */
  private static final String METRICS = "*.period=1\n";

  /** The web servers do not start without these directories; the published jars lack them. */
  private static final String[] WEB_APPLICATIONS = {
    "webapps/hdfs",
    "webapps/datanode",
    "webapps/static",
    "hbase-webapps/master",
    "hbase-webapps/regionserver",
    "hbase-webapps/static"
  };

  private SiteFiles() {}

  /** Writes the directory of a daemon. */
  static void writeDaemon(Path directory, Map<String, String> conf) throws IOException {
    write(directory, conf, "INFO");
    Files.writeString(directory.resolve("hadoop-metrics2.properties"), METRICS);
    for (String application : WEB_APPLICATIONS) {
      Files.createDirectories(directory.resolve(application));
    }
  }

  /** Writes the directory of a client, which logs warnings and PerformanceEvaluation's results. */
  static void writeClient(Path directory, Map<String, String> conf) throws IOException {
    write(directory, conf, "WARN");
  }

  /**
   * Writes everything into hbase-site.xml, too. HBase loads hbase-default.xml after core-site.xml
   * and hdfs-site.xml. Its defaults for some of HDFS's keys would override them.
   */
  private static void write(Path directory, Map<String, String> conf, String level)
      throws IOException {
    Files.createDirectories(directory);
    Predicate<String> hbase = key -> key.startsWith("hbase.");
    Predicate<String> hdfs = key -> key.startsWith("dfs.");
    writeXml(directory.resolve("core-site.xml"), conf, hbase.or(hdfs).negate());
    writeXml(directory.resolve("hdfs-site.xml"), conf, hdfs);
    writeXml(directory.resolve("hbase-site.xml"), conf, key -> true);
    Files.writeString(directory.resolve("log4j.properties"), LOG4J.formatted(level));
  }

  private static void writeXml(Path file, Map<String, String> conf, Predicate<String> include)
      throws IOException {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    new TreeMap<>(conf)
        .forEach(
            (key, value) -> {
              if (include.test(key)) {
                xml.append("  <property><name>")
                    .append(escape(key))
                    .append("</name><value>")
                    .append(escape(value))
                    .append("</value></property>\n");
              }
            });
    Files.writeString(file, xml.append("</configuration>\n"));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
