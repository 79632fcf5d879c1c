package org.fastpath.tools.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.fastpath.tools.doctor.DaemonReport.Failure;
import org.fastpath.tools.jmx.WebClient;

/** Explains why a daemon could not be asked, with the remedy. */
final class Failures {
  static final String LOGIN = "kinit, or the options --principal NAME --keytab FILE";

  private Failures() {}

  static Failure of(Target target, Throwable why) {
    String address = target.address();
    if (why instanceof UndeclaredThrowableException && why.getCause() != null) {
      return of(target, why.getCause()); // Hadoop's doAs wraps checked exceptions.
    }
    if (why instanceof WebClient.HttpException http) {
      return http(address, http);
    }
    if (why instanceof AuthenticationException) {
      return login(why);
    }
    if (why instanceof SSLHandshakeException) {
      return new Failure(
          Kind.DAEMON_NOT_TRUSTED,
          "Its certificate is not trusted: " + line(why),
          "ssl-client.xml: <property><name>ssl.client.truststore.location</name><value>FILE</value>"
              + "</property>, or the option --truststore FILE");
    }
    if (why instanceof SSLException) {
      return otherwise("It does not speak SSL: " + line(why), address.replace("https:", "http:"));
    }
    if (why instanceof JsonProcessingException) {
      return otherwise("It has no page /jmx: " + line(why), address);
    }
    return network(target, why);
  }

  private static Failure network(Target target, Throwable why) {
    String address = target.address();
    boolean refused =
        why instanceof SocketTimeoutException
            || why instanceof UnknownHostException
            || why instanceof ConnectException
            || why instanceof NoRouteToHostException;
    if (!refused && why instanceof IOException && address.startsWith("http:")) {
      return otherwise("It does not speak plain HTTP: " + line(why), "https" + after(address));
    }
    return new Failure(
        Kind.DAEMON_UNREACHABLE,
        "It does not answer: " + line(why),
        why instanceof ConnectException && target.role().isPresent()
            ? Remedy.start(target.role().get(), target.host())
            : "curl " + address + "/jmx?qry=java.lang:type=Runtime");
  }

  private static String after(String address) {
    return address.substring(address.indexOf(':'));
  }

  private static Failure http(String address, WebClient.HttpException why) {
    return switch (why.code()) {
      case HttpURLConnection.HTTP_UNAUTHORIZED -> login(why);
      case HttpURLConnection.HTTP_FORBIDDEN ->
          new Failure(
              Kind.DAEMON_WANTS_LOGIN,
              "This user may not see /jmx: " + line(why),
              "kinit as an administrator (dfs.cluster.administrators,"
                  + " hbase.security.authentication.spnego.admin.users)");
      default -> otherwise(line(why), address);
    };
  }

  private static Failure login(Throwable why) {
    return new Failure(
        Kind.DAEMON_WANTS_LOGIN, "It asks for a Kerberos ticket: " + line(why), LOGIN);
  }

  private static Failure otherwise(String text, String address) {
    return new Failure(
        Kind.DAEMON_ANSWERS_OTHERWISE, text, "fastpath doctor " + address + " (or another port)");
  }

  /** Returns the first line of a message, or of its cause where it has none. */
  private static String line(Throwable why) {
    String message = why.getMessage();
    if (message == null || message.isBlank()) {
      return why.getCause() == null ? why.getClass().getSimpleName() : line(why.getCause());
    }
    return message.lines().findFirst().orElse("");
  }
}
