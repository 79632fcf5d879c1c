package org.fastpath.bench.engine;

import java.util.LinkedHashMap;

/** Names and values as text, in their order: parameters of measurements, or configuration. */
public final class Params extends LinkedHashMap<String, String> {
  private static final long serialVersionUID = 1L;

  public Params with(String name, Object value) {
    put(name, value.toString());
    return this;
  }
}
