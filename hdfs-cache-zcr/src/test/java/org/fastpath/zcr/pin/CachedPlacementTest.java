package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Plans of servers 0, 1, … for regions 0, 1, …. */
class CachedPlacementTest {

  @Test
  void theMostBytesGoFirst() {
    Map<Integer, List<Integer>> plan = Map.of(0, List.of(1), 1, List.of(2));
    assertThat(
            CachedPlacement.improve(plan, (region, server) -> server == 0 ? region : 0, r -> true))
        .isEqualTo(Map.of(0, List.of(2), 1, List.of(1)));
  }

  @Test
  void plansKeepEveryRegionAndTheMostOfAServer() {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int servers = 1 + random.nextInt(6);
      Map<Integer, List<Integer>> plan = plan(servers, random.nextInt(40), random);
      long[][] bytes = new long[40][servers];
      for (int i = random.nextInt(80); i > 0; i--) {
        bytes[random.nextInt(40)][random.nextInt(servers)] = random.nextInt(4);
      }
      int fixed = random.nextInt(40);
      Map<Integer, List<Integer>> improved =
          CachedPlacement.improve(
              plan, (region, server) -> bytes[region][server], region -> region > fixed);
      assertThat(improved.keySet()).isEqualTo(plan.keySet());
      assertThat(all(improved)).containsExactlyInAnyOrderElementsOf(all(plan));
      assertThat(most(improved)).isLessThanOrEqualTo(most(plan));
      plan.forEach(
          (server, regions) ->
              assertThat(improved.get(server))
                  .containsAll(regions.stream().filter(region -> region <= fixed).toList()));
    }
  }

  private static Map<Integer, List<Integer>> plan(int servers, int regions, Random random) {
    Map<Integer, List<Integer>> plan = new HashMap<>();
    for (int server = 0; server < servers; server++) {
      plan.put(server, new ArrayList<>());
    }
    for (int region = 0; region < regions; region++) {
      plan.get(random.nextInt(servers)).add(region);
    }
    return plan;
  }

  private static List<Integer> all(Map<Integer, List<Integer>> plan) {
    return plan.values().stream().flatMap(List::stream).toList();
  }

  private static int most(Map<Integer, List<Integer>> plan) {
    return plan.values().stream().mapToInt(List::size).max().orElse(0);
  }
}
