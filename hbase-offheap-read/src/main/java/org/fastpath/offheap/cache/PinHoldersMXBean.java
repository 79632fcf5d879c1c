package org.fastpath.offheap.cache;

import java.util.List;

/** The attribute of the bean that names the holders of blocks. */
public interface PinHoldersMXBean {
  /**
   * Returns a text for each block that a reader holds: the block, the thread, the age, the calls.
   */
  List<String> getHolders();
}
