package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A variant whose client loses the last cell of some answers. The test must find this fault. */
final class PlantedFault implements Variant {
  private final Variant variant;
  private final Predicate<Line> losing;

  /**
   * Plants a fault.
   *
   * @param losing the operations whose answers lose a cell
   */
  PlantedFault(Variant variant, Predicate<Line> losing) {
    this.variant = variant;
    this.losing = losing;
  }

  @Override
  public void begin(int run, Times times) throws Exception {
    variant.begin(run, times);
  }

  @Override
  public Outcome apply(Line line) throws Exception {
    Outcome outcome = variant.apply(line);
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
    variant.end();
  }
}
