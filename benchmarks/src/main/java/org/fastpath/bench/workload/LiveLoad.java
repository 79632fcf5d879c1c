package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.Optional;

/**
 * Clients that read, perhaps a scan beside them, and what they make of the RegionServer from one
 * window of time to the next. Not thread-safe.
 */
final class LiveLoad implements AutoCloseable {
  private final Testbed testbed;
  private final RequestLoad clients;
  private final Optional<RequestLoad> scan;
  private ServerReading last;

  LiveLoad(Testbed testbed, RequestLoad clients, Optional<RequestLoad> scan) throws IOException {
    this.testbed = testbed;
    this.clients = clients;
    this.scan = scan;
    this.last = testbed.read(clients::rows);
  }

  /** Lets that time pass; the window begins where the last one ended. */
  ReadWindow window(int millis) throws IOException {
    Pause.millis(millis);
    ServerReading begin = last;
    last = testbed.read(clients::rows);
    return new ReadWindow(begin, last, clients.latencies(), testbed.collections());
  }

  /** Ends it; fails if a client has. */
  void stop() throws IOException {
    if (scan.isPresent()) {
      scan.get().stop();
    }
    clients.stop();
  }

  /** Ends the threads. */
  @Override
  public void close() {
    scan.ifPresent(RequestLoad::close);
    clients.close();
  }
}
