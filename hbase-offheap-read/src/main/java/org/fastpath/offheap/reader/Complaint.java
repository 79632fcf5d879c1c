package org.fastpath.offheap.reader;

/** Creates the exception for an impossible length in a block. */
@FunctionalInterface
interface Complaint {
  IllegalStateException of(String what, long value, long position);
}
