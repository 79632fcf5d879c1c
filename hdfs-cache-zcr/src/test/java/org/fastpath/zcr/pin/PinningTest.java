package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that share a pool, with regions, files and reads as a test wants them. */
class PinningTest {
  private static final long LIMIT = 10 << 20;
  private static final int HALF_LIFE_MILLIS = 100_000;
  private static final int CHANGES = 4;

  private final FakeNameNode nameNode = new FakeNameNode("hbase-fastpath", LIMIT);
  private final List<Server> servers = new ArrayList<>();
  private final PinMetrics metrics = new PinMetrics();
  private long now;

  @AfterEach
  void close() {
    metrics.close();
  }

  /** A RegionServer. */
  private final class Server {
    private final Map<String, OpenFile> files = new HashMap<>();
    private final Set<String> regions = new TreeSet<>();
    private Pinning pinning;

    Server() {
      restart();
      servers.add(this);
    }

    void restart() {
      Configuration conf = new Configuration(false);
      conf.set(PinOptions.REPLICATION, "1");
      conf.set(PinOptions.HALF_LIFE, Integer.toString(HALF_LIFE_MILLIS / 1_000));
      conf.set(PinOptions.CHANGES, Integer.toString(CHANGES));
      PinOptions options = PinOptions.of(conf);
      pinning =
          new Pinning(new CacheDirectives(nameNode, new Path("/hbase"), options), options, metrics);
    }

    void open(String region, String file, long length, PinPolicy policy) {
      open(region, path(region, file), path(region, file), length, policy);
    }

    void open(String region, String path, String reader, long length, PinPolicy policy) {
      regions.add(region);
      nameNode.file(path, length);
      files.put(reader, new OpenFile(path, length, reader, region, policy, 0));
    }

    void read(String region, String file, long bytes) {
      files.computeIfPresent(
          path(region, file),
          (path, old) ->
              new OpenFile(
                  old.path(),
                  old.length(),
                  old.reader(),
                  old.region(),
                  old.policy(),
                  old.bytesRead() + bytes));
    }

    OpenFile closeFile(String region, String file) {
      return files.remove(path(region, file));
    }

    void move(String region, Server to) {
      regions.remove(region);
      to.regions.add(region);
      for (OpenFile file : List.copyOf(files.values())) {
        if (file.region().equals(region)) {
          files.remove(file.reader());
          to.open(region, file.path(), file.reader(), file.length(), file.policy());
        }
      }
    }

    OpenFiles openFiles() {
      return new OpenFiles(Set.copyOf(regions), List.copyOf(files.values()));
    }

    void round() throws IOException {
      now += 1_000;
      pinning.round(openFiles(), servers.size(), now);
    }

    void rounds(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        round();
      }
    }

    boolean succeed(OpenFile output, OpenFile... inputs) throws IOException {
      nameNode.file(output.path(), output.length());
      return pinning.succeed(output, List.of(inputs), openFiles(), servers.size(), now);
    }
  }

  private static String path(String region, String file) {
    return "/hbase/data/default/table/" + region + "/family/" + file;
  }

  private static OpenFile output(String region, String file, long length, PinPolicy policy) {
    return new OpenFile(path(region, file), length, path(region, file), region, policy, 0);
  }

  @Test
  void aServerKeepsToItsShare() throws IOException {
    Server one = new Server();
    Server two = new Server();
    for (int i = 0; i < 10; i++) {
      one.open("region1", "file" + i, 1 << 20, PinPolicy.ALWAYS);
      two.open("region2", "file" + i, 2 << 20, PinPolicy.ALWAYS);
    }
    one.rounds(4);
    two.rounds(4);
    assertThat(nameNode.pinned()).hasSize(4 + 2);
  }

  @Test
  void aDirectiveStaysWhenItsRegionMovesAndWhenItsServerRestarts() throws IOException {
    Server one = new Server();
    Server two = new Server();
    one.open("region", "file", 1 << 20, PinPolicy.AUTO);
    one.round();
    one.read("region", "file", 1 << 20);
    one.round();
    assertThat(nameNode.pinned()).containsExactly(path("region", "file"));
    one.move("region", two);
    one.rounds(3);
    two.rounds(3);
    two.restart();
    two.rounds(3);
    assertThat(nameNode.changes()).isEqualTo(1);
  }

  @Test
  void whatACompactionLeavesBehindIsUnpinnedAfterItsOutputWasPinned() throws IOException {
    Server server = new Server();
    server.open("region", "a", 2 << 20, PinPolicy.ALWAYS);
    server.open("region", "b", 2 << 20, PinPolicy.ALWAYS);
    server.round();
    OpenFile output = output("region", "c", 4 << 20, PinPolicy.ALWAYS);
    OpenFile a = server.files.get(path("region", "a"));
    OpenFile b = server.files.get(path("region", "b"));
    assertThat(server.succeed(output, a, b)).isTrue();
    server.rounds(3);
    assertThat(nameNode.pinned())
        .containsExactly(path("region", "a"), path("region", "b"), path("region", "c"));
    server.closeFile("region", "a");
    server.closeFile("region", "b");
    server.open("region", "c", 4 << 20, PinPolicy.ALWAYS);
    server.round();
    assertThat(nameNode.pinned()).containsExactly(path("region", "c"));
    assertThat(nameNode.changes()).isEqualTo(5);
  }

  @Test
  void anOutputThatNeverComesIntoPlaceIsUnpinned() throws IOException {
    Server server = new Server();
    server.open("region", "a", 2 << 20, PinPolicy.ALWAYS);
    server.round();
    OpenFile output = output("region", "b", 2 << 20, PinPolicy.ALWAYS);
    assertThat(server.succeed(output, server.files.get(path("region", "a")))).isTrue();
    server.rounds(301);
    assertThat(nameNode.pinned()).containsExactly(path("region", "a"));
  }

  @Test
  void theOutputOfAnAutoTableIsPinnedIfMostOfItsInputsAre() throws IOException {
    Server server = new Server();
    server.open("region", "hot", 2 << 20, PinPolicy.AUTO);
    server.open("region", "cold", 1 << 20, PinPolicy.AUTO);
    server.round();
    server.read("region", "hot", 4 << 20);
    server.round();
    OpenFile hot = server.files.get(path("region", "hot"));
    OpenFile cold = server.files.get(path("region", "cold"));
    assertThat(server.succeed(output("region", "no", 1 << 20, PinPolicy.AUTO), cold)).isFalse();
    OpenFile output = output("region", "yes", 3 << 20, PinPolicy.AUTO);
    assertThat(server.succeed(output, hot, cold)).isTrue();
    assertThat(nameNode.pinned()).containsExactly(path("region", "hot"), path("region", "yes"));
  }

  @Test
  void theFileOfASplitParentIsUnpinnedWhenNoDaughterReadsItAnyLonger() throws IOException {
    Server server = new Server();
    server.open("parent", "file", 1 << 20, PinPolicy.ALWAYS);
    server.round();
    server.closeFile("parent", "file");
    server.regions.remove("parent");
    String parent = path("parent", "file");
    for (String daughter : List.of("top", "bottom")) {
      server.open(daughter, parent, path(daughter, "file.parent"), 1 << 20, PinPolicy.ALWAYS);
    }
    server.round();
    server.closeFile("top", "file.parent");
    server.round();
    assertThat(nameNode.changes()).isEqualTo(1);
    server.closeFile("bottom", "file.parent");
    server.round();
    assertThat(nameNode.pinned()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theLimitHoldsForAllServersWhateverTheyDo(int run) throws IOException {
    long seed = Long.getLong("seed", 0x9E3779B97F4A7C15L * run);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 3; i++) {
      new Server();
    }
    int files = 0;
    for (int i = 0; i < 2_000; i++) {
      Server server = servers.get(random.nextInt(servers.size()));
      String region = "region" + random.nextInt(9);
      Server owner =
          servers.stream().filter(any -> any.regions.contains(region)).findAny().orElse(server);
      switch (random.nextInt(8)) {
        case 0 -> owner.open(region, "file" + files++, 1 + random.nextInt(2 << 20), policy(random));
        case 1 -> owner.move(region, server);
        case 2 -> server.restart();
        case 3 -> compact(owner, region, "file" + files++, random);
        case 4 -> owner.files.keySet().removeIf(name -> random.nextInt(8) == 0);
        default -> server.round();
      }
      for (OpenFile file : List.copyOf(server.files.values())) {
        String name = file.reader().substring(file.reader().lastIndexOf('/') + 1);
        server.read(file.region(), name, random.nextInt(4 << 20));
      }
    }
    assertThat(nameNode.mostNeeded()).isBetween(LIMIT / 2, LIMIT);
    settle();
    assertThat(nameNode.pinned()).doesNotHaveDuplicates();
  }

  private static PinPolicy policy(Random random) {
    return random.nextInt(3) == 0 ? PinPolicy.ALWAYS : PinPolicy.AUTO;
  }

  private void compact(Server server, String region, String name, Random random)
      throws IOException {
    List<OpenFile> inputs =
        server.files.values().stream().filter(file -> file.region().equals(region)).toList();
    if (inputs.isEmpty()) {
      return;
    }
    long length = 1 + inputs.stream().mapToLong(OpenFile::length).sum() / 2;
    OpenFile output = output(region, name, length, inputs.get(0).policy());
    server.succeed(output, inputs.toArray(OpenFile[]::new));
    if (random.nextBoolean()) {
      server.round();
    }
    inputs.forEach(input -> server.files.remove(input.reader()));
    server.open(region, name, length, output.policy());
  }

  /** When files and reads stay as they are there is soon nothing left to change. */
  private void settle() throws IOException {
    for (int i = 0; i < 2 * HALF_LIFE_MILLIS / 1_000; i++) {
      for (Server server : servers) {
        server.round();
      }
    }
    int changes = nameNode.changes();
    for (Server server : servers) {
      server.rounds(5);
    }
    assertThat(nameNode.changes()).isEqualTo(changes);
  }
}
