package org.fastpath.bench.engine;

import java.nio.file.Path;
import java.util.Properties;
import org.apache.log4j.PropertyConfigurator;

/**
 * Redirects the log of this JVM's HBase client to a file. The client logs errors when a
 * RegionServer restarts as planned, which would only interrupt the progress.
 */
public final class ClientLog {
  private ClientLog() {}

  /** Redirects the log to this file. */
  public static void to(Path file) {
    Properties log4j = new Properties();
    log4j.setProperty("log4j.rootLogger", "INFO, file");
    log4j.setProperty("log4j.appender.file", "org.apache.log4j.FileAppender");
    log4j.setProperty("log4j.appender.file.File", file.toString());
    log4j.setProperty("log4j.appender.file.Append", "false");
    log4j.setProperty("log4j.appender.file.layout", "org.apache.log4j.PatternLayout");
    log4j.setProperty(
        "log4j.appender.file.layout.ConversionPattern", "%d{ISO8601} %-5p [%t] %c{2}: %m%n");
    PropertyConfigurator.configure(log4j);
  }
}
