package org.fastpath.bench.docs;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fastpath.cluster.Daemon;

/** Reads the metrics of a daemon like Prometheus with {@code docs/operate/prometheus.yml}. */
final class Scrape {
  private static final int TIMEOUT_MILLIS = 20_000;

  private Scrape() {}

  /** Returns the series of a daemon, with the labels that Prometheus adds in this job. */
  static List<Series> of(Daemon daemon, String job) throws IOException {
    String instance = "127.0.0.1:" + daemon.httpPort();
    return Exposition.parse(fetch("http://" + instance + path(job))).stream()
        .map(series -> series.with(Map.of("job", job, "instance", instance)))
        .toList();
  }

  /** Returns the path of a job. */
  private static String path(String job) throws IOException {
    Matcher matcher =
        Pattern.compile("job_name: " + Pattern.quote(job) + "\\s+metrics_path: (\\S+)")
            .matcher(Files.readString(Repository.PROMETHEUS));
    if (!matcher.find()) {
      throw new IllegalStateException("docs/operate/prometheus.yml has no job " + job);
    }
    return matcher.group(1);
  }

  private static String fetch(String address) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(address).toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    // Prometheus 3 accepts no page of another type.
    String type = connection.getContentType();
    if (type == null || !type.startsWith("text/plain")) {
      throw new IOException(address + " is of type " + type);
    }
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
