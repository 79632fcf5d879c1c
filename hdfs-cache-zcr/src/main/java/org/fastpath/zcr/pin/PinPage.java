package org.fastpath.zcr.pin;

import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the last report at {@code /jmx}. It calls no server, because that page is fetched often.
 * Thread-safe.
 */
final class PinPage implements PinPageMBean, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PinPage.class);
  private static final String NAME = "org.fastpath:type=HdfsCachePins";

  private final Supplier<PinReport> report;

  private PinPage(Supplier<PinReport> report) {
    this.report = report;
  }

  /** Shows reports. There is one page in a process. */
  static PinPage show(Supplier<PinReport> report) {
    PinPage page = new PinPage(report);
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(page, new ObjectName(NAME));
    } catch (JMException e) {
      LOG.warn("The list of pinned files is not shown at /jmx", e);
    }
    return page;
  }

  @Override
  public String[] getStatus() {
    return report.get().status().toArray(String[]::new);
  }

  @Override
  public String[] getPlan() {
    return report.get().plan().toArray(String[]::new);
  }

  @Override
  public void close() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
    } catch (JMException e) {
      LOG.debug("{} was not shown", NAME, e);
    }
  }
}
