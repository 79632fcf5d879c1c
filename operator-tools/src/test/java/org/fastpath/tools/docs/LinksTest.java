package org.fastpath.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Links between pages lead to a file and to one of its headings. */
class LinksTest {
  private static final int TASKS = 25;

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Page page : Page.all()) {
      for (String link : page.links()) {
        if (!link.matches("[a-z]+:.*") && !resolves(page, link)) {
          broken.add(page.name() + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean resolves(Page page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target =
        parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return parts.length == 1 || Page.read(target).anchors().contains(parts[1]);
  }

  @Test
  void codeNamesPagesThatExist() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Page page : Page.all()) {
      page.code().stream()
          .filter(code -> code.matches("docs/[\\w/.-]+\\.md"))
          .filter(code -> !Files.exists(Page.ROOT.resolve(code)))
          .forEach(code -> broken.add(page.name() + ": " + code));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void eachOperatorTaskHasAPage() throws IOException {
    List<String> rows =
        Page.read(Page.DOCS.resolve("operate/README.md"))
            .text()
            .lines()
            .filter(line -> line.matches("\\| \\d+\\. .*\\| \\[.*\\]\\(.*\\) \\|"))
            .toList();
    assertThat(rows).hasSizeGreaterThanOrEqualTo(TASKS);
  }
}
