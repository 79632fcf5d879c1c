package org.fastpath.zcr.pin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;

/**
 * Improves an assignment of regions to servers, so that regions are local to their bytes in locked
 * memory. No server gets more regions than the previous maximum.
 *
 * <p>The method is greedy, the most bytes first. An optimal plan would take too long.
 *
 * @param <S> a server
 * @param <R> a region
 */
public final class CachedPlacement<S, R> {
  private final Map<S, List<R>> placed = new HashMap<>();
  private final Set<R> done = new HashSet<>();
  private final int most;

  private record Choice<S, R>(R region, S server, long bytes) {}

  private CachedPlacement(Set<S> servers, int most) {
    servers.forEach(server -> placed.put(server, new ArrayList<>()));
    this.most = most;
  }

  /**
   * Improves a plan.
   *
   * @param bytes of a region in locked memory local to a server
   * @param movable whether a region may be on another server than the one planned
   */
  public static <S, R> Map<S, List<R>> improve(
      Map<S, List<R>> plan, ToLongBiFunction<R, S> bytes, Predicate<R> movable) {
    int most = plan.values().stream().mapToInt(List::size).max().orElse(0);
    CachedPlacement<S, R> placement = new CachedPlacement<>(plan.keySet(), most);
    List<Choice<S, R>> choices = new ArrayList<>();
    plan.forEach(
        (server, regions) -> {
          for (R region : regions) {
            if (movable.test(region)) {
              choices.addAll(choices(region, plan.keySet(), bytes));
            } else {
              placement.put(region, server);
            }
          }
        });
    choices.sort(Comparator.comparingLong((Choice<S, R> choice) -> choice.bytes()).reversed());
    choices.stream()
        .filter(choice -> placement.isOpen(choice.region(), choice.server()))
        .forEach(choice -> placement.put(choice.region(), choice.server()));
    plan.forEach((server, regions) -> regions.forEach(region -> placement.rest(region, server)));
    return placement.placed;
  }

  private static <S, R> List<Choice<S, R>> choices(
      R region, Set<S> servers, ToLongBiFunction<R, S> bytes) {
    return servers.stream()
        .map(server -> new Choice<>(region, server, bytes.applyAsLong(region, server)))
        .filter(choice -> choice.bytes() > 0)
        .toList();
  }

  private boolean isOpen(R region, S server) {
    return !done.contains(region) && placed.get(server).size() < most;
  }

  private void put(R region, S server) {
    placed.get(server).add(region);
    done.add(region);
  }

  /**
   * Places a region without local bytes: on its planned server, or on the one with the most room.
   */
  private void rest(R region, S planned) {
    if (isOpen(region, planned)) {
      put(region, planned);
    } else if (!done.contains(region)) {
      put(region, emptiest());
    }
  }

  private S emptiest() {
    return placed.entrySet().stream()
        .min(Comparator.comparingInt(entry -> entry.getValue().size()))
        .orElseThrow()
        .getKey();
  }
}
