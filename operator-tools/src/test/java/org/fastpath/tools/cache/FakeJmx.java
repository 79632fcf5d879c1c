package org.fastpath.tools.cache;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.fastpath.tools.jmx.JmxPage;
import org.fastpath.tools.jmx.Login;

/** A daemon whose page {@code /jmx} answers each query with a text of the test. */
public final class FakeJmx implements AutoCloseable {
  static final JmxPage PAGE = new JmxPage(connection -> connection, Login.CALLER);

  private final HttpServer server;

  /** Starts it; the function returns the page for a query. */
  public FakeJmx(UnaryOperator<String> pages) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          String page = pages.apply(exchange.getRequestURI().getQuery());
          byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  /** Returns its scheme, host and port. */
  public String address() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
