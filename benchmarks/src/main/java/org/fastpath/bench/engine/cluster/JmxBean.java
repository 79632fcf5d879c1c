package org.fastpath.bench.engine.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import org.fastpath.cluster.Daemon;

/** Reads a bean of a daemon of a local cluster. */
public final class JmxBean {
  private JmxBean() {}

  /** Returns the bean of that name, or a missing node. */
  public static JsonNode of(Daemon daemon, String name) throws IOException {
    return new JsonMapper().readTree(daemon.jmx(name)).path("beans").path(0);
  }
}
