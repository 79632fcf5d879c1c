package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fastpath.tools.conf.Role;
import org.junit.jupiter.api.Test;

/** Checks of the memory of one machine with 64 GB. */
class MachineMemoryTest {
  private static final String DIRECT = "-XX:MaxDirectMemorySize=40g";

  private final List<DaemonReport> daemons = new ArrayList<>();

  @Test
  void anHMasterDoesNotFillItsDirectMemory() {
    daemon(Role.REGIONSERVER, 16, DIRECT, 0);
    daemon(Role.MASTER, 4, DIRECT, 0);
    assertThat(remedies()).isEmpty();
  }

  @Test
  void theRemedyIsNoMoreThanTheServerHas() {
    daemon(Role.REGIONSERVER, 30, DIRECT, 0);
    daemon(Role.MASTER, 2, DIRECT, 0);
    assertThat(remedies()).containsExactly("hbase-env.sh: export HBASE_OFFHEAPSIZE=32g");
  }

  @Test
  void dataNodesOfOneMachineShrinkTogether() {
    daemon(Role.DATANODE, 1, "", 40);
    daemon(Role.DATANODE, 1, "", 30);
    assertThat(remedies())
        .containsExactly(
            RemedyLine.set(RemedyLine.HDFS_SITE, "dfs.datanode.max.locked.memory", "26g"));
  }

  private List<String> remedies() {
    List<Problem> problems = new ArrayList<>();
    Evidence evidence = new Evidence(null, List.of(), daemons, List.of(), List.of());
    MemoryChecks.all().forEach(check -> check.check(evidence, problems::add));
    return problems.stream().map(Problem::remedy).toList();
  }

  private void daemon(Role role, long heap, String flags, long locked) {
    Map<String, JsonNode> beans =
        Map.of(
            Beans.SYSTEM,
            bean(Map.of("TotalMemorySize", 64L << 30)),
            Beans.MEMORY,
            bean(Map.of("HeapMemoryUsage", Map.of("max", heap << 30))),
            Beans.RUNTIME,
            bean(Map.of("InputArguments", List.of(flags))),
            Beans.DATASET_PREFIX + "x",
            bean(Map.of("CacheCapacity", locked << 30)));
    String address = "http://one:" + (16000 + daemons.size());
    daemons.add(new DaemonReport(address, Optional.of(role), Optional.empty(), List.of(), beans));
  }

  private static JsonNode bean(Map<String, Object> attributes) {
    return new JsonMapper().valueToTree(attributes);
  }
}
