package org.fastpath.offheap.policy;

import static org.fastpath.offheap.index.BlockEntries.NONE;

import org.fastpath.offheap.index.BlockEntries;

/**
 * A list of blocks, linked through the policy's fields of their {@link BlockEntries}: the newest at
 * the head, the oldest at the tail. A block is in one list at a time; the owner knows which.
 *
 * <p>Guarded by the cache's lock.
 */
final class EntryList {
  private final BlockEntries entries;
  private int head = NONE;
  private int tail = NONE;

  EntryList(BlockEntries entries) {
    this.entries = entries;
  }

  int head() {
    return head;
  }

  int tail() {
    return tail;
  }

  boolean isEmpty() {
    return head == NONE;
  }

  void addFirst(int entry) {
    entries.policyPrevious(entry, NONE);
    entries.policyNext(entry, head);
    if (head == NONE) {
      tail = entry;
    } else {
      entries.policyPrevious(head, entry);
    }
    head = entry;
  }

  void remove(int entry) {
    int previous = entries.policyPrevious(entry);
    int next = entries.policyNext(entry);
    if (previous == NONE) {
      head = next;
    } else {
      entries.policyNext(previous, next);
    }
    if (next == NONE) {
      tail = previous;
    } else {
      entries.policyPrevious(next, previous);
    }
  }

  void moveToFirst(int entry) {
    if (entry != head) {
      remove(entry);
      addFirst(entry);
    }
  }

  /** Checks all links and returns the number of blocks. */
  int validate() {
    int count = 0;
    int previous = NONE;
    for (int entry = head; entry != NONE; entry = entries.policyNext(entry)) {
      if (entries.policyPrevious(entry) != previous || count++ > entries.capacity()) {
        throw new IllegalStateException("block " + entry + " is not linked to " + previous);
      }
      previous = entry;
    }
    if (tail != previous) {
      throw new IllegalStateException("the tail is " + tail + ", the last block " + previous);
    }
    return count;
  }

  /** Returns the bytes of all blocks. */
  long bytes() {
    long bytes = 0;
    for (int entry = head; entry != NONE; entry = entries.policyNext(entry)) {
      bytes += entries.length(entry);
    }
    return bytes;
  }

  /** Appends all blocks of another list, as older ones. */
  void append(EntryList older) {
    if (older.isEmpty()) {
      return;
    }
    if (isEmpty()) {
      head = older.head;
    } else {
      entries.policyNext(tail, older.head);
      entries.policyPrevious(older.head, tail);
    }
    tail = older.tail;
    older.head = NONE;
    older.tail = NONE;
  }
}
