package org.fastpath.tools.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
  @TempDir Path directory;

  @Test
  void aPropertyKnowsItsLine() throws IOException {
    write("hdfs-site.xml", "<configuration>\n<property>\n<name>a</name>\n<value> 1 </value>", "");
    assertThat(SiteFile.read(directory.resolve("hdfs-site.xml")))
        .singleElement()
        .satisfies(p -> assertThat(p.place()).isEqualTo("hdfs-site.xml:3"))
        .satisfies(p -> assertThat(p.value()).isEqualTo("1"));
  }

  @Test
  void theLastFileWinsUnlessAnEarlierOneIsFinal() throws IOException {
    write("a.xml", property("one", "a", "<final>true</final>"), property("two", "a", ""));
    write("b.xml", property("one", "b", ""), property("two", "b", ""));
    Site site = Site.read(directory, "a.xml", "b.xml", "missing.xml");
    assertThat(site.value("one")).contains("a");
    assertThat(site.value("two")).contains("b");
    assertThat(site.all()).hasSize(4);
  }

  @Test
  void variablesAreExpandedAsInHadoop() throws IOException {
    write("a.xml", property("home", "/data", ""), property("dir", "${home}/x,${none}", ""));
    Site site = Site.read(directory, "a.xml");
    assertThat(site.list("dir")).containsExactly("/data/x", "${none}");
  }

  @Test
  void anIncludedFileIsReadInPlace() throws IOException {
    write("part.xml", property("a", "part", ""));
    write(
        "a.xml",
        "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='part.xml'/>",
        property("b", "own", ""));
    assertThat(Site.read(directory, "a.xml").value("a")).contains("part");
    assertThat(Site.read(directory, "a.xml").value("b")).contains("own");
  }

  @Test
  void aFileThatIsNoXmlIsNamed() throws IOException {
    Files.writeString(directory.resolve("a.xml"), "<configuration><property>");
    assertThatThrownBy(() -> Site.read(directory, "a.xml"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.xml is no XML file");
  }

  private static String property(String name, String value, String more) {
    return "<property><name>" + name + "</name><value>" + value + "</value>" + more;
  }

  /** Ends each property and the file. */
  private void write(String name, String... properties) throws IOException {
    StringBuilder xml = new StringBuilder();
    for (String property : properties) {
      xml.append(property).append(property.contains("<name>") ? "</property>\n" : "\n");
    }
    String text = xml.toString();
    String begin = text.startsWith("<configuration") ? "" : "<configuration>";
    Files.writeString(directory.resolve(name), begin + text + "</configuration>");
  }
}
