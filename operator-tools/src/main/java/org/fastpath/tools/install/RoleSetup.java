package org.fastpath.tools.install;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.conf.Sizes;

/**
 * An operator's choice for one role. The env file's block contains it as a comment, so a later run
 * knows it.
 *
 * @param modules empty if none were given
 * @param cacheBytes size of the off-heap block cache, if it was given or chosen
 * @param lockedBytes memory that a DataNode may lock, if it was given
 * @param pinBytes memory of DataNodes that all RegionServers together may pin, if it was given
 * @param domainSocket path of the socket for short-circuit reads, if it was given
 */
record RoleSetup(
    Role role,
    Set<Module> modules,
    OptionalLong cacheBytes,
    OptionalLong lockedBytes,
    OptionalLong pinBytes,
    Optional<String> domainSocket) {
  private static final String PREFIX = "# role=";

  /** Returns whether its RegionServer has the off-heap cache, which the reader includes. */
  boolean hasCache() {
    return role == Role.REGIONSERVER && (has(Module.CACHE) || has(Module.READER));
  }

  boolean has(Module module) {
    return modules.contains(module);
  }

  RoleSetup withCacheBytes(long bytes) {
    return new RoleSetup(
        role, modules, OptionalLong.of(bytes), lockedBytes, pinBytes, domainSocket);
  }

  RoleSetup withDomainSocket(Optional<String> path) {
    return new RoleSetup(role, modules, cacheBytes, lockedBytes, pinBytes, path);
  }

  /** Takes all modules if none were given. */
  RoleSetup orAllModules() {
    return modules.isEmpty()
        ? new RoleSetup(
            role, EnumSet.allOf(Module.class), cacheBytes, lockedBytes, pinBytes, domainSocket)
        : this;
  }

  /** Takes modules, sizes and paths that are not given from an earlier setup of the same role. */
  RoleSetup orElse(RoleSetup earlier) {
    return new RoleSetup(
        role,
        modules.isEmpty() ? earlier.modules : modules,
        cacheBytes.isPresent() ? cacheBytes : earlier.cacheBytes,
        lockedBytes.isPresent() ? lockedBytes : earlier.lockedBytes,
        pinBytes.isPresent() ? pinBytes : earlier.pinBytes,
        domainSocket.isPresent() ? domainSocket : earlier.domainSocket);
  }

  /** Returns the comment that holds it. */
  String line() {
    StringBuilder line = new StringBuilder(PREFIX + role.label());
    line.append(" modules=").append(Module.labels(modules));
    cacheBytes.ifPresent(bytes -> line.append(" cache-size=").append(Sizes.format(bytes)));
    lockedBytes.ifPresent(bytes -> line.append(" locked-memory=").append(Sizes.format(bytes)));
    pinBytes.ifPresent(bytes -> line.append(" pin-limit=").append(Sizes.format(bytes)));
    domainSocket.ifPresent(path -> line.append(" domain-socket=").append(path));
    return line.toString();
  }

  /** Returns the setups in the comments of a block. */
  static List<RoleSetup> parse(String body) {
    List<RoleSetup> setups = new ArrayList<>();
    for (String line : body.split("\n")) {
      if (line.startsWith(PREFIX)) {
        setups.add(parseLine(line));
      }
    }
    return setups;
  }

  private static RoleSetup parseLine(String line) {
    Map<String, String> fields = new HashMap<>();
    for (String field : line.substring(2).split(" (?=[a-z-]+=)")) {
      int sign = field.indexOf('=');
      fields.put(field.substring(0, sign), field.substring(sign + 1));
    }
    return new RoleSetup(
        Role.valueOf(fields.get("role").toUpperCase(Locale.ROOT)),
        Module.parse(fields.get("modules")),
        size(fields.get("cache-size")),
        size(fields.get("locked-memory")),
        size(fields.get("pin-limit")),
        Optional.ofNullable(fields.get("domain-socket")));
  }

  private static OptionalLong size(String text) {
    return text == null ? OptionalLong.empty() : Sizes.parse(text);
  }
}
