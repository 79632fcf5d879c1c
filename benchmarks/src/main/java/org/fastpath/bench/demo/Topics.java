package org.fastpath.bench.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.bench.engine.results.Topic;

/** The modules on the demo's page: words from a file, settings from the running daemons. */
final class Topics {
  private Topics() {}

  /**
   * A topic in the file.
   *
   * @param keys beginnings of its keys
   */
  record Text(
      String title,
      String text,
      List<String> works,
      String stock,
      String ours,
      List<String> keys,
      List<String> lines,
      String page) {
    /** Returns a sentence on a side, and the keys of this topic that it has. */
    List<String> settings(boolean isOurs, Map<String, String> conf) {
      List<String> settings = new ArrayList<>(List.of(isOurs ? ours : stock));
      conf.forEach(
          (key, value) -> {
            if (keys.stream().anyMatch(key::startsWith)) {
              settings.add(key + " = " + value);
            }
          });
      return settings;
    }
  }

  static List<Text> texts() throws IOException {
    try (InputStream file = Topics.class.getResourceAsStream("topics.json")) {
      return List.of(new ObjectMapper().readValue(file, Text[].class));
    }
  }

  static void add(Results.Builder results, Collection<DemoCluster> sides) throws IOException {
    for (Text text : texts()) {
      Map<String, List<String>> settings = new LinkedHashMap<>();
      for (DemoCluster side : sides) {
        settings.put(side.name, text.settings(side.ours, side.settings()));
      }
      String lines = String.join("\n", text.lines);
      results.topic(new Topic(text.title, text.text, text.works, settings, lines, text.page));
    }
  }
}
