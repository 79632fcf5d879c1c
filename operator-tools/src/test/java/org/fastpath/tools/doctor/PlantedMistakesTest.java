package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page {@code docs/operate/doctor.md} says which line mends each planted mistake; these are
 * they.
 */
class PlantedMistakesTest {
  private static final Path PAGE = Path.of("..", "docs", "operate", "doctor.md");

  private static Vocabulary vocabulary;
  private static Map<String, List<String>> rows;

  @TempDir Path root;

  @BeforeAll
  static void readPage() throws IOException {
    vocabulary = Vocabulary.load();
    rows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      String[] cells = line.split(" \\| ");
      if (cells.length == 3 && cells[0].matches("\\| `[a-z-]+`")) {
        rows.put(
            cells[0].replaceAll("[|` ]", ""),
            List.of(cells[1], cells[2].replaceAll("\\s*\\|$", "").replaceAll("^`|`$", "")));
      }
    }
  }

  static List<Plant> plants() {
    return Plant.all();
  }

  @Test
  void nothingIsWrongWithoutAMistake() {
    assertThat(Doctor.examine(new World().evidence(root, vocabulary))).isEmpty();
  }

  @Test
  void aTableThatIsNotKnownIsLookedForInTheLog() {
    World world = new World().bean(World.SERVER, Beans.READER, "stockScannerCount", 1);
    assertThat(Doctor.examine(world.evidence(root, vocabulary)))
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).contains("the log names the tables"));
  }

  @Test
  void adviceAloneIsNoReasonToFail() {
    World world = new World().hbase("dfs.client.cache.readahead", null);
    Diagnosis diagnosis = Diagnosis.of(world.evidence(root, vocabulary));
    assertThat(List.of(diagnosis.exitCode(false), diagnosis.exitCode(true))).containsExactly(0, 1);
  }

  /** Install repeats a list of classes in its block, and adds ours. */
  @Test
  void aListThatIsRepeatedAndLengthenedIsNoMistake() {
    String key = "hbase.coprocessor.master.classes";
    World world = new World().hbase(key, "com.example.Audit").again(key, "com.example.Audit,x.Y");
    assertThat(Doctor.examine(world.evidence(root, vocabulary)))
        .extracting(Problem::kind)
        .doesNotContain(Kind.KEY_TWICE);
    World lost = new World().hbase(key, "com.example.Audit").again(key, "x.Y");
    assertThat(Doctor.examine(lost.evidence(root, vocabulary)))
        .extracting(Problem::kind)
        .contains(Kind.KEY_TWICE);
  }

  /** HBase's guide asks for a link to Hadoop's file. */
  @Test
  void keysOfHadoopInALinkOfHBasesDirectoryAreNoMistake() {
    World world = new World().hdfsOfHBase("dfs.fastpath.pool-lock.patience-millis", "1000");
    assertThat(kinds(world)).doesNotContain(Kind.KEY_IN_WRONG_FILE);
  }

  @Test
  void theDoctorAsksForAsMuchDirectMemoryAsInstall() {
    World world = new World().hbase("hbase.fastpath.offheap-cache.size", "8g");
    String prefix = "export HBASE_CLASSPATH_PREFIX=$HBASE_HOME/fastpath/*";
    assertThat(kinds(world.hbaseEnv(prefix, "export HBASE_OFFHEAPSIZE=9216m"))).isEmpty();
    assertThat(kinds(world.hbaseEnv(prefix, "export HBASE_OFFHEAPSIZE=9215m")))
        .containsExactly(Kind.TOO_LITTLE_DIRECT_MEMORY);
  }

  @Test
  void dataNodesShareTheLimitOfThePool() {
    World world =
        new World()
            .hdfs("dfs.datanode.max.locked.memory", null)
            .bean(World.NAMENODE, Beans.NAMENODE, "LiveNodes", "{\"a\":{},\"b\":{}}");
    assertThat(Doctor.examine(world.evidence(root, vocabulary)))
        .singleElement()
        .satisfies(problem -> assertThat(problem.remedy()).contains("<value>4g</value>"));
  }

  private List<Kind> kinds(World world) {
    return Doctor.examine(world.evidence(root, vocabulary)).stream().map(Problem::kind).toList();
  }

  @ParameterizedTest
  @MethodSource("plants")
  void isFoundWithTheLineOfThePage(Plant plant) {
    World world = new World();
    plant.sow().accept(world);
    List<Problem> problems = Doctor.examine(world.evidence(root, vocabulary));
    assertThat(problems).extracting(Problem::kind).containsOnly(plant.kind());
    String line = problems.get(0).remedy().replace(root.toString(), "/opt");
    assertThat(List.of(plant.mistake(), line)).isEqualTo(rows.get(plant.kind().label()));
  }

  @Test
  void thePageListsEachKindOnce() {
    List<String> planted = plants().stream().map(plant -> plant.kind().label()).toList();
    assertThat(planted).doesNotHaveDuplicates().hasSizeGreaterThan(20);
    List<String> kinds = new ArrayList<>(Arrays.stream(Kind.values()).map(Kind::label).toList());
    assertThat(planted).containsExactlyInAnyOrderElementsOf(kinds);
    assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(kinds);
  }
}
