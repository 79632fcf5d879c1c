package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.fastpath.offheap.store.PinTracker;
import org.junit.jupiter.api.Test;

class PinHoldersTest {
  @Test
  void theBeanNamesEachBlockThatIsHeldOldestFirst() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(PinHolders.NAME);
    PinTracker tracker = new PinTracker();
    tracker.opened("first", "file_7");
    tracker.opened("second", "file_9");
    try (PinHolders holders = PinHolders.register(tracker)) {
      String[] shown = (String[]) server.getAttribute(name, "Holders");
      assertThat(shown).hasSize(2);
      assertThat(shown[0])
          .startsWith("block file_7 taken by " + Thread.currentThread().getName() + ", ")
          .contains(" s ago, at ")
          .contains(getClass().getName());
      assertThat(shown[1]).startsWith("block file_9 ");
      tracker.closed("first");
      tracker.closed("second");
      assertThat((String[]) server.getAttribute(name, "Holders")).isEmpty();
      assertThat(holders.getHolders()).isEmpty();
    }
    assertThat(server.isRegistered(name)).isFalse();
  }
}
