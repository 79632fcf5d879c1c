package org.fastpath.bench.engine.published;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All published figures of one story. */
public record Published(String story, List<Figure> figures) {

  /** Copies its list. */
  public Published {
    figures = List.copyOf(figures);
  }

  Map<String, Figure> byId() {
    return figures.stream().collect(Collectors.toMap(Figure::id, Function.identity()));
  }
}
