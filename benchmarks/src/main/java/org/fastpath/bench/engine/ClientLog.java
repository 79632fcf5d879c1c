package org.fastpath.bench.engine;

import java.nio.file.Path;
import java.util.Properties;
import org.apache.log4j.PropertyConfigurator;

/**
 * Sends what the HBase client in this JVM logs to a file: its complaints about a RegionServer that
 * restarts belong to the plan and would only tear the progress apart.
 */
public final class ClientLog {
  private ClientLog() {}

  /** From now on, to this file. */
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
