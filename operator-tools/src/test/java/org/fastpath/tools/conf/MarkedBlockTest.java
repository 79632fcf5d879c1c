package org.fastpath.tools.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.fastpath.tools.conf.MarkedBlock.Syntax;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkedBlockTest {
  private static final String BODY = "export A=1\nexport B=2";

  private final MarkedBlock shell = new MarkedBlock(Syntax.SHELL);
  private final MarkedBlock xml = new MarkedBlock(Syntax.XML);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a\n",
        "a",
        "a\r\nb\r\n",
        "a\r\nb",
        "a\r",
        "a\n\n\n",
        "\u00e4\u0000\n",
        "a\nb\r\n"
      })
  void aShellFileComesBackAsItWas(String text) {
    String with = shell.with(text, BODY);
    assertThat(shell.body(with)).contains(BODY);
    assertThat(with).startsWith(text);
    assertThat(with.substring(text.length())).doesNotContain("\r");
    assertThat(shell.without(with)).isEqualTo(text);
    assertThat(shell.with(with, BODY)).isEqualTo(with);
    assertThat(shell.without(shell.with(with, "other"))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<configuration></configuration>",
        "<configuration>\n</configuration>\n",
        "<?xml version='1.0'?>\r\n<configuration>\r\n  </configuration >\r\n\r\n",
        "<!-- </configuration> --><configuration>\n<property/></configuration><!-- end"
      })
  void aSiteFileComesBackAsItWas(String text) {
    String with = xml.with(text, BODY);
    assertThat(xml.body(with)).contains(BODY);
    assertThat(xml.without(with)).isEqualTo(text);
    assertThat(xml.with(with, BODY)).isEqualTo(with);
  }

  @Test
  void textBehindTheEndMarkerStays() {
    String text = "<configuration>\n</configuration>\n";
    String joined = xml.with(text, BODY).replace("-->\n</conf", "--></conf");
    assertThat(xml.without(joined)).isEqualTo(text);
    assertThat(xml.without(joined.replace("\n", ""))).isEqualTo(text.replace("\n", ""));
    String shellText = shell.with("a\n", BODY).stripTrailing() + "b\n";
    assertThat(shell.without(shellText)).isEqualTo("a\nb\n");
  }

  @Test
  void onlyLinesBetweenTheMarkersAreInTheBlock() {
    String with = xml.with("<configuration>\n<a/></configuration>", "x\ny");
    assertThat(IntStream.rangeClosed(1, 6).filter(line -> xml.holdsLine(with, line)))
        .containsExactly(3, 4);
    assertThat(xml.blanked(with)).isEqualTo("<configuration>\n<a/>\n\n\n\n</configuration>");
  }

  @Test
  void aFileThatTheBlockMadeGoesWithIt() {
    assertThat(shell.without(shell.with(null, BODY))).isNull();
    assertThat(xml.without(xml.with(null, BODY))).isNull();
    String again = shell.with(shell.with(null, BODY), "other");
    assertThat(shell.without(again)).isNull();
  }

  @Test
  void linesThatWereAddedToSuchAFileStay() {
    assertThat(shell.without(shell.with(null, BODY) + "export C=3\n")).isEqualTo("export C=3\n");
  }

  @Test
  void linesBehindTheBlockKeepTheirLineEnd() {
    assertThat(shell.without(shell.with("a", BODY) + "b\n")).isEqualTo("a\nb\n");
  }

  @Test
  void aLineThatGoesOnIsRefused() {
    assertThatThrownBy(() -> shell.with("a \\\n", BODY)).hasMessageContaining("backslash");
  }

  @Test
  void aSiteFileWithoutAnEndTagIsRefused() {
    for (String text : new String[] {"<configuration/>", "<!-- </configuration> -->"}) {
      assertThatThrownBy(() -> xml.with(text, BODY)).hasMessageContaining("</configuration>");
    }
  }

  @Test
  void aMarkerWithoutItsPartnerIsRefused() {
    String with = shell.with("a\n", BODY);
    String torn = with.substring(0, with.indexOf("# <<<"));
    assertThatThrownBy(() -> shell.without(torn)).hasMessageContaining("marker");
    assertThatThrownBy(() -> shell.without(with + with)).hasMessageContaining("marker");
  }
}
