package org.fastpath.cluster;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports on loopback, by name. A cluster that is started again in the same directory gets
 * the same ports if they are still free.
 *
 * <p>Ports are chosen below the kernel's range for outgoing connections. A port in that range can
 * be free now and in use by a client when the daemon binds it.
 */
final class Ports {
  private static final int LOWEST = 10_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 1_000;

  /** New ports of all clusters of this JVM, because two that start at once find the same free. */
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private final Properties earlier = new Properties();
  private final Properties chosen = new Properties();
  private final Set<Integer> taken = new HashSet<>();

  Ports(Path file) throws IOException {
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        earlier.load(reader);
      }
    }
  }

  int of(String name) {
    String known = chosen.getProperty(name);
    if (known == null) {
      known = Integer.toString(choose(earlier.getProperty(name)));
      chosen.setProperty(name, known);
    }
    return Integer.parseInt(known);
  }

  void save(Path file) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file)) {
      chosen.store(writer, null);
    }
  }

  private int choose(String before) {
    if (before != null && take(Integer.parseInt(before))) {
      return Integer.parseInt(before);
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (GIVEN.add(port) && take(port)) {
        return port;
      }
    }
    throw new ClusterException("no free port found between " + LOWEST + " and " + HIGHEST);
  }

  private boolean take(int port) {
    return !taken.contains(port) && isFree(port) && taken.add(port);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // Like the daemons: lingering connections of an earlier run do not count.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
