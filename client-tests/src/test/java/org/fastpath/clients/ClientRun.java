package org.fastpath.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.LocalCluster;

/** A finished run of a client program. */
final class ClientRun {
  private static final int SHOWN = 80;

  private final String name;
  private final int exitCode;
  private final List<String> lines;

  private ClientRun(String name, int exitCode, List<String> lines) {
    this.name = name;
    this.exitCode = exitCode;
    this.lines = lines;
  }

  /** Runs a program of published jars. */
  static ClientRun of(
      LocalCluster cluster,
      List<ClientJars> jars,
      Consumer<DaemonOptions> options,
      String mainClass,
      String... arguments) {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    int exitCode =
        cluster.runClient(
            mainClass,
            Arrays.asList(arguments),
            client -> {
              client.prependToClasspath(ClientJars.drivers());
              jars.forEach(each -> client.prependToClasspath(each.jars()));
              options.accept(client);
            },
            lines::add);
    return new ClientRun(
        mainClass + " " + String.join(" ", arguments), exitCode, List.copyOf(lines));
  }

  /** Returns its output and its log. */
  List<String> lines() {
    return lines;
  }

  /** Checks that it ended with 0; otherwise the failure shows the end of its output. */
  ClientRun passed() {
    return ended(0);
  }

  /** The same for another exit code. */
  ClientRun ended(int expected) {
    assertThat(exitCode)
        .as("exit code of %s, which ends in:%n%s", name, tail())
        .isEqualTo(expected);
    return this;
  }

  private String tail() {
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN), lines.size()));
  }
}
