package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.fastpath.tools.jmx.Login;
import org.fastpath.tools.jmx.WebClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundsTest {
  @TempDir private Path directory;

  @Test
  void aClusterWithoutANameNodeIsNotSeen() throws Exception {
    Diagnosis diagnosis = cluster("dfs.replication", "3");
    assertThat(diagnosis.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.kind()).isEqualTo(Kind.CLUSTER_UNREACHABLE);
              assertThat(problem.remedy()).isEqualTo("fastpath doctor --namenode HOST:9870");
            });
    assertThat(diagnosis.exitCode(false)).isEqualTo(Diagnosis.UNSEEN);
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsTheOnlyProblem() throws Exception {
    assertThat(cluster("dfs.namenode.http-address", "127.0.0.1:1").problems())
        .extracting(Problem::kind)
        .containsExactly(Kind.DAEMON_UNREACHABLE);
  }

  @Test
  void aClusterOverAnotherStoreNeedsNoNameNode() throws Exception {
    assertThat(cluster("hbase.rootdir", "s3a://bucket/hbase").problems())
        .extracting(Problem::kind)
        .doesNotContain(Kind.CLUSTER_UNREACHABLE);
  }

  private Diagnosis cluster(String key, String value) throws IOException, InterruptedException {
    Files.writeString(
        directory.resolve("hdfs-site.xml"),
        "<configuration><property><name>"
            + key
            + "</name><value>"
            + value
            + "</value></property></configuration>");
    ConfReader conf = new ConfReader();
    conf.directory(directory, false);
    Duration time = Duration.ofSeconds(10);
    Survey survey = new Survey(new WebClient(connection -> connection), Login.CALLER, time);
    Rounds rounds = new Rounds(conf, survey, Login.CALLER, time);
    rounds.cluster();
    Vocabulary vocabulary = new Vocabulary(KnownKeys.load(), Set.of(), word -> true);
    return Diagnosis.of(rounds.evidence(vocabulary));
  }
}
