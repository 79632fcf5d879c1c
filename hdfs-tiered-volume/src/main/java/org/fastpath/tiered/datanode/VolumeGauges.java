package org.fastpath.tiered.datanode;

import java.io.IOException;

/** What a volume says of itself when it is asked. Asked by any thread; neither blocks for long. */
interface VolumeGauges {
  /** Bytes that replicas can still take, without reserves and what open replicas may still need. */
  long availableBytes() throws IOException;

  /** Bytes that the writers of open replicas may still bring. */
  long inFlightBytes();
}
