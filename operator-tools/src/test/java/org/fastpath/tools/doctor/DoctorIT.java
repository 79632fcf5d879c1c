package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The doctor beside a real cluster of two RegionServers with all modules on. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DoctorIT {
  private static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";

  @TempDir static Path directory;

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .regionServers(2)
            .fastpath(Modules.ALL)
            .start();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void allIsActive() throws Exception {
    Eventually.holds(() -> assertThat(doctor().healthy()).isTrue());
    Diagnosed diagnosed = doctor();
    assertThat(diagnosed.roles()).containsExactly("datanode", "master", "namenode", "regionserver");
    assertThat(diagnosed.active()).contains("cache", "offheap-reader", "zero-copy");
  }

  @Test
  @Order(2)
  void aServerThatFallsBackIsNamedWithItsLine() throws Exception {
    Daemon server = cluster.daemon(Role.REGIONSERVER, 1);
    server.restart(options -> options.conf(SHORT_CIRCUIT, "false"));
    Eventually.holds(
        () -> {
          Diagnosed diagnosed = doctor();
          assertThat(diagnosed.exitCode()).isEqualTo(1);
          assertThat(diagnosed.fallenBack(server.httpPort()))
              .map(problem -> problem.path("remedy").asText())
              .contains(RemedyLine.set(RemedyLine.HBASE_SITE, SHORT_CIRCUIT, "true"));
        });
  }

  @Test
  @Order(3)
  void aServerThatIsKilledIsNotSeen() throws Exception {
    Daemon server = cluster.daemon(Role.REGIONSERVER, 1);
    int port = server.httpPort();
    server.kill();
    Diagnosed diagnosed = doctor("regionserver=127.0.0.1:" + port);
    assertThat(diagnosed.exitCode()).isEqualTo(2);
    assertThat(diagnosed.problems())
        .anyMatch(problem -> problem.path("kind").asText().equals("daemon-unreachable"));
  }

  /** The output for machines. */
  private record Diagnosed(int exitCode, JsonNode json) {
    List<JsonNode> problems() {
      List<JsonNode> problems = new ArrayList<>();
      for (JsonNode problem : json.path("problems")) {
        if (!problem.path("severity").asText().equals("ADVICE")) {
          problems.add(problem);
        }
      }
      return problems;
    }

    Optional<JsonNode> fallenBack(int port) {
      return problems().stream()
          .filter(problem -> problem.path("kind").asText().equals("fallen-back"))
          .filter(problem -> problem.path("where").asText().contains(":" + port))
          .findFirst();
    }

    /** Says why not. */
    boolean healthy() {
      assertThat(problems()).isEmpty();
      return exitCode == 0;
    }

    Set<String> roles() {
      Set<String> roles = new TreeSet<>();
      json.path("daemons").forEach(daemon -> roles.add(daemon.path("role").asText()));
      return roles;
    }

    Set<String> active() {
      Set<String> active = new TreeSet<>();
      for (JsonNode daemon : json.path("daemons")) {
        for (JsonNode feature : daemon.path("features")) {
          if (feature.path("state").asText().equals("ACTIVE")) {
            active.add(feature.path("feature").asText());
          }
        }
      }
      return active;
    }
  }

  private static Diagnosed doctor(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("--json"));
    args.addAll(List.of(more));
    DoctorRun run = DoctorRun.of(cluster, args.toArray(String[]::new));
    return new Diagnosed(run.exitCode(), new JsonMapper().readTree(run.printed()));
  }
}
