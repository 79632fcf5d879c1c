package org.fastpath.tiered.datanode;

import java.io.IOException;

/** The free space and the reservations of a volume. Thread-safe; no method blocks for long. */
interface VolumeGauges {
  /** Returns the bytes for new replicas, without reserves and without bytes for open replicas. */
  long availableBytes() throws IOException;

  /** Returns the bytes that the writers of open replicas may still bring. */
  long inFlightBytes();
}
