package org.fastpath.offheap.reader;

/** What to say of a length in a block that is not what it can be. */
@FunctionalInterface
interface Complaint {
  IllegalStateException of(String what, long value, long position);
}
