package org.fastpath.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Keeps the log events while it is open: level, message, and the message of the exception. */
final class LogCapture implements AutoCloseable {
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final Logger logger = Logger.getLogger("org.fastpath");

  private final AppenderSkeleton appender =
      new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
          String thrown =
              event.getThrowableInformation() == null
                  ? ""
                  : " " + event.getThrowableInformation().getThrowable();
          lines.add(event.getLevel() + " " + event.getRenderedMessage() + thrown);
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
          return false;
        }
      };

  LogCapture() {
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
  }
}
