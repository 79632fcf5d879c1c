package org.fastpath.regionserver.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The entry in the menu, whatever the menu looks like and however it is written. */
class MenuWriterTest {
  private static final String NEW_MENU =
      "<ul class=\"navbar-nav\">\n"
          + "  <li class=\"nav-item\"><a class=\"nav-link active\" href=\"/rs-status\">Home</a></li>\n"
          + "  <li class=\"nav-item\"><a class=\"nav-link\" href=\"/dump\">Debug Dump</a></li>\n"
          + "</ul>";
  private static final String OLD_MENU =
      "<ul class=\"nav navbar-nav\"><li><a href=\"/logs/\">Logs</a></li><li><a href=\"/dump\">Debug"
          + " Dump</a></li></ul>";

  @Test
  void theEntryLooksAsItsNeighbour() throws IOException {
    assertThat(through(NEW_MENU, NEW_MENU.length()))
        .contains(
            "<li class=\"nav-item\"><a class=\"nav-link\" href=\"/fastpath\">Fast Path</a></li>\n"
                + "<li class=\"nav-item\"><a class=\"nav-link\" href=\"/dump\">");
    assertThat(through(OLD_MENU, OLD_MENU.length()))
        .contains("<li><a href=\"/fastpath\">Fast Path</a></li>\n<li><a href=\"/dump\">");
  }

  @Test
  void allOfThePagePassesHoweverItIsCut() throws IOException {
    String rest = "<table>" + "x".repeat(100_000) + "</table>";
    for (int piece = 1; piece < 200; piece += 7) {
      String page = through(NEW_MENU + rest, piece);
      assertThat(page).containsOnlyOnce("/fastpath").endsWith(rest);
      assertThat(page.replaceAll("<li[^\n]*/fastpath[^\n]*\n", "")).isEqualTo(NEW_MENU + rest);
    }
  }

  @Test
  void aPageWithoutAMenuPassesAsItIs() throws IOException {
    String small = "<html>no menu</html>";
    String large = "<p>" + "y".repeat(50_000) + "</p>" + NEW_MENU;
    assertThat(through(small, 3)).isEqualTo(small);
    assertThat(through(large, 1000)).isEqualTo(large);
    assertThat(through("<a href=\"/dump\">no item", 5)).isEqualTo("<a href=\"/dump\">no item");
  }

  @Test
  void whatIsForgottenIsNotWritten() throws IOException {
    StringWriter out = new StringWriter();
    MenuWriter menu = new MenuWriter(out);
    menu.write("<html>half a page");
    menu.forget();
    menu.finish();
    assertThat(out.toString()).isEmpty();
  }

  private static String through(String page, int piece) throws IOException {
    StringWriter out = new StringWriter();
    try (MenuWriter menu = new MenuWriter(out)) {
      for (int i = 0; i < page.length(); i += piece) {
        menu.write(page, i, Math.min(piece, page.length() - i));
      }
    }
    return out.toString();
  }
}
