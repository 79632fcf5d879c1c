package org.fastpath.tools.doctor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.fastpath.tools.conf.Role;

/**
 * A daemon to be asked.
 *
 * @param address {@code http://HOST:PORT} or {@code https://HOST:PORT}
 */
record Target(Optional<Role> role, String address) {

  /**
   * Reads {@code [ROLE=][http[s]://]HOST:PORT}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  static Target parse(String text) {
    int equals = text.indexOf('=');
    Optional<Role> role =
        equals < 0 ? Optional.empty() : Optional.of(role(text.substring(0, equals)));
    String rest = text.substring(equals + 1).toLowerCase(Locale.ROOT);
    String address = rest.contains("://") ? rest : "http://" + rest;
    if (!address.matches("https?://(?:[^/:\\s]+|\\[[0-9a-f:]+]):[0-9]{1,5}/?")) {
      throw new IllegalArgumentException(
          "'" + text + "' is no address; give [ROLE=][https://]HOST:PORT, such as rs1:16030");
    }
    return new Target(role, address.replaceAll("/$", ""));
  }

  private static Role role(String name) {
    return Arrays.stream(Role.values())
        .filter(role -> role.label().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + name + "' is no role; use regionserver, master, datanode or namenode"));
  }

  static Target of(Role role, String hostAndPort, boolean secure) {
    return new Target(Optional.of(role), (secure ? "https://" : "http://") + hostAndPort);
  }

  /** Its host, without the port. */
  String host() {
    String hostAndPort = address.substring(address.indexOf("//") + 2);
    return hostAndPort.substring(0, hostAndPort.lastIndexOf(':'));
  }
}
