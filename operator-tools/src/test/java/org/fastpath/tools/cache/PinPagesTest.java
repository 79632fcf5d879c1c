package org.fastpath.tools.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.fastpath.tools.jmx.JmxPage;
import org.fastpath.tools.jmx.Login;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PinPagesTest {
  private static final String HOST = "http://localhost:";
  private static final JmxPage PAGE = new JmxPage(connection -> connection, Login.CALLER);

  private HttpServer server;
  private String page;
  private String query;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          query = exchange.getRequestURI().getQuery();
          byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
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
    int port = server.getAddress().getPort();
    server.stop(0);
    assertThatThrownBy(() -> PinPages.lines(PAGE, HOST + port, "Status"))
        .hasMessageContaining("http://localhost:" + port + "/jmx");
  }

  private List<String> lines(String attribute) throws IOException {
    return PinPages.lines(PAGE, HOST + server.getAddress().getPort(), attribute);
  }
}
