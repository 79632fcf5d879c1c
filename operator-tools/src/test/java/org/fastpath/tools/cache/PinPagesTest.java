package org.fastpath.tools.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PinPagesTest {
  private FakeJmx server;
  private String page;
  private String query;

  @BeforeEach
  void start() throws IOException {
    server =
        new FakeJmx(
            asked -> {
              query = asked;
              return page;
            });
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void printsTheLinesOfTheBean() throws IOException {
    page = "{\"beans\": [{\"name\": \"x\", \"Plan\": [\"one\", \"two\"]}]}";
    assertThat(lines("Plan")).containsExactly("one", "two");
    assertThat(query).isEqualTo("qry=org.fastpath:type=HdfsCachePins");
  }

  @Test
  void aServerWithoutTheBeanPinsNothing() throws IOException {
    page = "{\"beans\": []}";
    assertThat(lines("Status")).singleElement().asString().startsWith("pins nothing");
  }

  @Test
  void aServerThatIsGoneIsNamed() {
    server.close();
    assertThatThrownBy(() -> lines("Status")).hasMessageContaining(server.address() + "/jmx");
  }

  private List<String> lines(String attribute) throws IOException {
    return PinPages.lines(FakeJmx.PAGE, server.address(), attribute);
  }
}
