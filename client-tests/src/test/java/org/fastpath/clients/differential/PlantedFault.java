package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A side whose client loses the last cell of some answers. The test must find this fault. */
final class PlantedFault implements Side {
  private final Side side;
  private final Predicate<Line> losing;

  /**
   * Plants a fault.
   *
   * @param losing the operations whose answers lose a cell
   */
  PlantedFault(Side side, Predicate<Line> losing) {
    this.side = side;
    this.losing = losing;
  }

  @Override
  public void begin(int run, Times times) throws Exception {
    side.begin(run, times);
  }

  @Override
  public Outcome apply(Line line) throws Exception {
    Outcome outcome = side.apply(line);
    if (!losing.test(line)) {
      return outcome;
    }
    List<String> lines = new ArrayList<>(outcome.lines());
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (Outcome.kind(lines.get(i)).equals("cell")) {
        lines.remove(i);
        return new Outcome(lines);
      }
    }
    return outcome;
  }

  @Override
  public void end() throws Exception {
    side.end();
  }
}
