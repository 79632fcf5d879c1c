package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.jmx.Login;
import org.fastpath.tools.jmx.WebClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SurveyTest {
  private static final int ANSWERING = 200;

  /** More than are asked at a time, so that a second round has to come. */
  private static final int SILENT = Survey.PARALLEL + 6;

  private static final int CLOSED = 30;
  private static final String FEATURE =
      """
      {"beans":[{"name":"org.fastpath:type=Feature,name=cache","Feature":"cache",
      "Module":"hbase-offheap-read","Version":"0.2.0","State":"ACTIVE","Reason":""}]}""";

  private final List<HttpServer> servers = new ArrayList<>();
  private final List<ServerSocket> sockets = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final AtomicInteger requests = new AtomicInteger();

  @AfterEach
  void stop() throws IOException {
    servers.forEach(server -> server.stop(0));
    threads.shutdownNow();
    for (ServerSocket socket : sockets) {
      socket.close();
    }
  }

  /** A server that never answers would hold an unbounded survey for ever. */
  @Test
  @Timeout(300)
  void threeHundredServersAreAskedOnceEachAndSilentOnesAreReported() throws Exception {
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < ANSWERING; i++) {
      targets.add(answering());
    }
    for (int i = 0; i < SILENT; i++) {
      targets.add(silent());
    }
    for (int i = 0; i < CLOSED; i++) {
      targets.add(closed());
    }
    List<DaemonReport> reports = survey(10).ask(targets);
    assertThat(reports).extracting(DaemonReport::address).isEqualTo(addresses(targets));
    assertThat(reports.subList(0, ANSWERING)).allMatch(report -> report.features().size() == 1);
    assertThat(reports.subList(ANSWERING, reports.size()))
        .allSatisfy(
            report ->
                assertThat(report.failure().orElseThrow().kind())
                    .isEqualTo(Kind.DAEMON_UNREACHABLE));
    int queries = Beans.queries(Optional.of(Role.REGIONSERVER)).size();
    assertThat(requests.get()).isEqualTo(ANSWERING * queries);
  }

  @Test
  @Timeout(120)
  void aServerThatSendsAByteNowAndThenRunsOutOfTime() throws Exception {
    HttpServer server = server(SurveyTest::drip);
    DaemonReport report = survey(1).ask(List.of(target(server))).get(0);
    assertThat(report.failure().orElseThrow().kind()).isEqualTo(Kind.DAEMON_UNREACHABLE);
  }

  /** As a look-up of a name may. */
  @Test
  @Timeout(120)
  void aDaemonThatTakesTheTimeOfAllHidesNoOther() throws Exception {
    Target slow = closed();
    Target other = answering();
    CountDownLatch end = new CountDownLatch(1);
    WebClient client =
        new WebClient(
            connection -> {
              if (slow.address().endsWith(":" + connection.getURL().getPort())) {
                awaitEnd(end);
              }
              return connection;
            });
    try {
      List<DaemonReport> reports =
          new Survey(client, Login.CALLER, Duration.ofSeconds(10)).ask(List.of(slow, other));
      assertThat(reports.get(0).failure().orElseThrow().kind()).isEqualTo(Kind.DAEMON_UNREACHABLE);
      assertThat(reports.get(1).features()).hasSize(1);
    } finally {
      end.countDown();
    }
  }

  private static void awaitEnd(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anotherServerIsToldFromADaemon() throws Exception {
    HttpServer server = server(exchange -> send(exchange, "<html>"));
    DaemonReport report = survey(100).ask(List.of(target(server))).get(0);
    assertThat(report.failure().orElseThrow().kind()).isEqualTo(Kind.DAEMON_ANSWERS_OTHERWISE);
  }

  @Test
  void aDaemonSaysWhatItIs() throws Exception {
    String runtime =
        """
        {"beans":[{"name":"java.lang:type=Runtime","SystemProperties":[{"key":"sun.java.command",
        "value":"org.apache.hadoop.hdfs.server.datanode.DataNode"}]}]}""";
    HttpServer server = server(exchange -> send(exchange, runtime));
    Target target = new Target(Optional.empty(), target(server).address());
    assertThat(survey(100).ask(List.of(target)).get(0).role()).contains(Role.DATANODE);
  }

  private static Survey survey(int seconds) {
    WebClient client = new WebClient(connection -> connection);
    return new Survey(client, Login.CALLER, Duration.ofSeconds(seconds));
  }

  private static List<String> addresses(List<Target> targets) {
    return targets.stream().map(Target::address).toList();
  }

  private Target answering() throws IOException {
    return target(
        server(
            exchange -> {
              requests.incrementAndGet();
              send(exchange, FEATURE);
            }));
  }

  private Target silent() throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    sockets.add(socket);
    return target(socket.getLocalPort());
  }

  private static Target closed() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      return target(socket.getLocalPort());
    }
  }

  private static Target target(HttpServer server) {
    return target(server.getAddress().getPort());
  }

  private static Target target(int port) {
    return Target.of(Role.REGIONSERVER, "127.0.0.1:" + port, false);
  }

  private HttpServer server(com.sun.net.httpserver.HttpHandler handler) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.createContext("/jmx", handler);
    server.setExecutor(threads);
    server.start();
    servers.add(server);
    return server;
  }

  private static void send(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Sends blanks, which JSON may begin with, until the client has gone. */
  private static void drip(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    while (true) {
      exchange.getResponseBody().write(' ');
      exchange.getResponseBody().flush();
    }
  }
}
