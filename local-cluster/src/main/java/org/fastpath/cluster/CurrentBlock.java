package org.fastpath.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The block that a thread of a DataNode receives or sends, and whether the kernel has it. The
 * thread name of a {@code DataXceiver} contains the block; a hook for operations on a volume can
 * find it only there. The first read of a block decides whether it is in memory, because later
 * bytes are not in memory before they are read. Not thread-safe.
 */
final class CurrentBlock {
  /** The block of threads that do other work. */
  static final CurrentBlock NONE = new CurrentBlock("", 0, false, new PageCache(0));

  private static final Pattern NAME = Pattern.compile("\\[(\\w+) block \\S*?blk_(-?\\d+)");

  private final String name;
  private final long block;
  private final boolean sent;
  private final PageCache pages;
  private final boolean inMemory;

  private CurrentBlock(String name, long block, boolean sent, PageCache pages) {
    this.name = name;
    this.block = block;
    this.sent = sent;
    this.pages = pages;
    inMemory = pages.contains(block);
    if (sent && !inMemory) {
      // The remaining part is read again with the rest.
      pages.forget(block);
    }
  }

  /** Returns the block in a thread's name. */
  static CurrentBlock of(String name, PageCache pages) {
    Matcher found = NAME.matcher(name);
    if (!found.find()) {
      return new CurrentBlock(name, 0, false, NONE.pages);
    }
    boolean sent = found.group(1).equals("Sending") || found.group(1).equals("Copying");
    return new CurrentBlock(name, Long.parseLong(found.group(2)), sent, pages);
  }

  /**
   * Returns whether the thread still has this name. A new operation sets a new one, perhaps an
   * equal one.
   */
  @SuppressWarnings("ReferenceEquality")
  boolean isOf(String threadName) {
    return name == threadName;
  }

  /** Returns whether it is read and sent. */
  boolean isSent() {
    return sent;
  }

  void written(long bytes) {
    pages.write(block, bytes);
  }

  /** Returns whether the kernel had the read bytes. Now it has them. */
  boolean read(long bytes) {
    if (inMemory) {
      pages.touch(block);
    } else {
      pages.add(block, bytes);
    }
    return inMemory;
  }
}
