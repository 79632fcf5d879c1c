package org.fastpath.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fastpath.bench.demo.Topics.Text;
import org.junit.jupiter.api.Test;

/** The words on the demo's page agree with the pages of the features. */
class TopicsTest {
  private static final Path HOME = Path.of("..");

  @Test
  void linesAreThoseOfThePageOfTheFeature() throws IOException {
    for (Text text : Topics.texts()) {
      String page = Files.readString(HOME.resolve(text.page()));
      assertThat(page).as(text.title()).contains(text.lines());
    }
  }

  @Test
  void aWorkIsOfOneTopic() throws IOException {
    List<String> works = Topics.texts().stream().flatMap(text -> text.works().stream()).toList();

    assertThat(works).doesNotHaveDuplicates().contains("get", "memory", "major compaction");
    assertThat(Topics.texts()).extracting(Text::title).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void settingsAreTheSidesOwnKeys() throws IOException {
    Text cache =
        Topics.texts().stream()
            .filter(text -> text.works().contains("memory"))
            .findAny()
            .orElseThrow();
    Map<String, String> conf =
        new TreeMap<>(
            Map.of(
                "hbase.bucketcache.size",
                "190",
                "hbase.bucketcache.ioengine",
                "offheap",
                "a",
                "b"));

    assertThat(cache.settings(false, conf))
        .containsExactly(
            cache.stock(), "hbase.bucketcache.ioengine = offheap", "hbase.bucketcache.size = 190");
    assertThat(cache.settings(true, Map.of())).containsExactly(cache.ours());
  }
}
