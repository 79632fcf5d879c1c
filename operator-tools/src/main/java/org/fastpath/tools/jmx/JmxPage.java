package org.fastpath.tools.jmx;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;

/** The page {@code /jmx} of RegionServers, DataNodes and other daemons of Hadoop. */
public final class JmxPage {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final WebClient client;
  private final Login login;

  /**
   * Asks as a user.
   *
   * @param ssl sets up connections by https
   */
  public JmxPage(ConnectionConfigurator ssl, Login login) {
    client = new WebClient(ssl);
    this.login = login;
  }

  /**
   * Returns the bean of that name; a missing node if there is none.
   *
   * @param address {@code http://HOST:PORT} or {@code https://HOST:PORT}
   */
  public JsonNode bean(String address, String name) throws IOException {
    return beans(address, name).path(0);
  }

  /** Returns the beans whose names match a pattern. */
  public JsonNode beans(String address, String pattern) throws IOException {
    try {
      return login.run(() -> client.beans(address, pattern, Deadline.in(TIMEOUT)));
    } catch (UndeclaredThrowableException e) {
      throw failure(address, e.getCause()); // Hadoop's doAs wraps checked exceptions.
    } catch (Exception e) {
      throw failure(address, e);
    }
  }

  private static IOException failure(String address, Throwable why) {
    String page = address + "/jmx";
    if (why instanceof AuthenticationException) {
      return new IOException(
          page + " asks for a Kerberos ticket: kinit, or give --principal and --keytab", why);
    }
    String reason = why.getMessage() == null ? why.toString() : why.getMessage();
    return new IOException(page + " does not answer: " + reason, why);
  }
}
