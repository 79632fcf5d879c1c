package org.fastpath.offheap.cache;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.fastpath.offheap.store.PinTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names the readers that hold blocks, in debug mode. One text for each block, oldest first, is in
 * the MBean {@value #NAME} and so at {@code /jmx}. Safe from any thread.
 */
final class PinHolders implements PinHoldersMXBean, AutoCloseable {
  static final String NAME = "org.fastpath:type=OffHeapCache,name=PinHolders";

  private static final Logger LOG = LoggerFactory.getLogger(PinHolders.class);
  private static final int MAX_HOLDERS = 1000;
  private static final int MAX_FRAMES = 30;

  private final PinTracker tracker;

  private PinHolders(PinTracker tracker) {
    this.tracker = tracker;
  }

  /** Registers the bean; a failure is logged, and the cache works without it. */
  static PinHolders register(PinTracker tracker) {
    PinHolders holders = new PinHolders(tracker);
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(holders, new ObjectName(NAME));
    } catch (JMException e) {
      LOG.warn("The MBean {} cannot be registered", NAME, e);
    }
    return holders;
  }

  @Override
  public void close() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
    } catch (InstanceNotFoundException e) {
      LOG.debug("{} is gone", NAME, e);
    } catch (JMException e) {
      LOG.warn("The MBean {} cannot be unregistered", NAME, e);
    }
  }

  @Override
  public List<String> getHolders() {
    long now = System.nanoTime();
    return tracker.holders().stream()
        .sorted((left, right) -> Long.compare(left.sinceNanos() - now, right.sinceNanos() - now))
        .limit(MAX_HOLDERS)
        .map(holder -> text(holder, now))
        .toList();
  }

  private static String text(PinTracker.Holder holder, long now) {
    return holder.site().getMessage()
        + ", "
        + (now - holder.sinceNanos()) / 1_000_000_000L
        + " s ago, at "
        + Arrays.stream(holder.site().getStackTrace())
            .limit(MAX_FRAMES)
            .map(StackTraceElement::toString)
            .collect(Collectors.joining(" < "));
  }
}
