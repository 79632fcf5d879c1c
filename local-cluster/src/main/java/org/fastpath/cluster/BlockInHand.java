package org.fastpath.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The block that a thread of a DataNode receives or sends, and whether the kernel has it. A {@code
 * DataXceiver} says so in its thread's name, which is the only place where one can see it who is
 * told of an operation on a volume. Whether a block is in memory is decided when its first bytes
 * are asked for: those behind are not there before they are read. Of one thread.
 */
final class BlockInHand {
  /** Of threads that do something else. */
  static final BlockInHand NONE = new BlockInHand("", 0, false, new PageCache(0));

  private static final Pattern NAME = Pattern.compile("\\[(\\w+) block \\S*?blk_(-?\\d+)");

  private final String name;
  private final long block;
  private final boolean sent;
  private final PageCache pages;
  private final boolean inMemory;

  private BlockInHand(String name, long block, boolean sent, PageCache pages) {
    this.name = name;
    this.block = block;
    this.sent = sent;
    this.pages = pages;
    inMemory = pages.contains(block);
    if (sent && !inMemory) {
      // What was left of it is read again with the rest.
      pages.forget(block);
    }
  }

  /** What the thread of that name works on. */
  static BlockInHand of(String name, PageCache pages) {
    Matcher found = NAME.matcher(name);
    if (!found.find()) {
      return new BlockInHand(name, 0, false, NONE.pages);
    }
    boolean sent = found.group(1).equals("Sending") || found.group(1).equals("Copying");
    return new BlockInHand(name, Long.parseLong(found.group(2)), sent, pages);
  }

  /** Whether the thread has had this name since; a new operation sets a new one, maybe alike. */
  @SuppressWarnings("ReferenceEquality")
  boolean isOf(String threadName) {
    return name == threadName;
  }

  /** Whether it is read, to be sent away. */
  boolean isSent() {
    return sent;
  }

  void written(long bytes) {
    pages.write(block, bytes);
  }

  /** Whether the kernel has had what is read; now it has it in any case. */
  boolean read(long bytes) {
    if (inMemory) {
      pages.touch(block);
    } else {
      pages.add(block, bytes);
    }
    return inMemory;
  }
}
