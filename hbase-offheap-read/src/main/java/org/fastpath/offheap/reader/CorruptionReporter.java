package org.fastpath.offheap.reader;

/** Creates the exception for an impossible length in a block. */
@FunctionalInterface
interface CorruptionReporter {
  IllegalStateException of(String what, long value, long position);
}
