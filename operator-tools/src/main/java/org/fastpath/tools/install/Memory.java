package org.fastpath.tools.install;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fastpath.tools.conf.DirectMemory;
import org.fastpath.tools.conf.EnvFile;
import org.fastpath.tools.conf.Machine;
import org.fastpath.tools.conf.Site;
import org.fastpath.tools.conf.Sizes;

/**
 * Fits the cache of a RegionServer and the locked memory of a DataNode into the memory of the
 * machine.
 */
final class Memory {
  private static final long MIB = 1L << 20;
  private static final long SMALLEST_CACHE = 64 * MIB;
  private static final int SHARE = 4;

  private static final String OFFHEAP_SIZE = "HBASE_OFFHEAPSIZE";
  private static final String DIRECT_FLAG = "MaxDirectMemorySize";
  private static final String CACHE_FILE = "hbase.fastpath.offheap-cache.file";
  private static final List<String> OPTIONS = List.of("HBASE_REGIONSERVER_OPTS", "HBASE_OPTS");

  private final Machine machine;
  private final Refusals refusals;

  Memory(Machine machine, Refusals refusals) {
    this.machine = machine;
    this.refusals = refusals;
  }

  /** A limit of direct memory and the place that sets it. */
  private record Limit(long bytes, String name, String place) {}

  /**
   * Returns the setup with the size of its cache if the key must be set.
   *
   * @param site properties of the operator
   * @param env variables of the operator
   */
  RoleSetup sized(RoleSetup setup, Site site, EnvFile env) {
    if (setup.cacheBytes().isPresent() || site.value(Catalog.CACHE_SIZE).isPresent()) {
      return setup;
    }
    // Without the key the cache takes its share of the limit.
    return limit(env).isPresent() ? setup : setup.withCacheBytes(defaultCache());
  }

  private long defaultCache() {
    long share = machine.memoryBytes() / SHARE;
    return Math.max(SMALLEST_CACHE, share - share % SMALLEST_CACHE);
  }

  /** Rejects a cache that does not fit. Returns the limit to set, if none is set. */
  OptionalLong directBytes(RoleSetup setup, Site site, EnvFile env) {
    OptionalLong size = cacheSize(setup, site);
    if (size.isEmpty() || site.value(CACHE_FILE).isPresent()) {
      return OptionalLong.empty();
    }
    long cache = size.getAsLong();
    requireUnderstood(env);
    requireRoom(cache, heap(env));
    Optional<Limit> limit = limit(env);
    if (limit.isEmpty()) {
      long direct = DirectMemory.neededFor(cache);
      return OptionalLong.of((direct + MIB - 1) / MIB * MIB);
    }
    requireLimit(cache, limit.get());
    return OptionalLong.empty();
  }

  /** Rejects commands that may limit direct memory in a way that only a shell understands. */
  private void requireUnderstood(EnvFile env) {
    for (String name : List.of(OFFHEAP_SIZE, DIRECT_FLAG)) {
      env.notUnderstood(name)
          .ifPresent(
              place ->
                  refusals.add(
                      String.format(
                          "%s names %s in a command that is not understood: write it as export"
                              + " NAME=VALUE, or leave out cache and reader.",
                          place, name)));
    }
  }

  private static OptionalLong cacheSize(RoleSetup setup, Site site) {
    if (setup.cacheBytes().isPresent()) {
      return setup.cacheBytes();
    }
    return site.value(Catalog.CACHE_SIZE).map(Sizes::parse).orElse(OptionalLong.empty());
  }

  private void requireRoom(long cache, long heap) {
    refusals.addIf(
        cache + heap > machine.memoryBytes(),
        String.format(
            "A cache of %s and a heap of %s do not fit into the %d MiB of this machine: give"
                + " --cache-size.",
            Sizes.format(cache), Sizes.format(heap), machine.memoryBytes() / MIB));
  }

  private void requireLimit(long cache, Limit limit) {
    long needed = DirectMemory.neededFor(cache);
    refusals.addIf(
        needed > limit.bytes,
        String.format(
            "%s is %s (%s), too little for a cache of %s: set it to %dm or more, or give a smaller"
                + " --cache-size.",
            limit.name,
            Sizes.format(limit.bytes),
            limit.place,
            Sizes.format(cache),
            (needed + MIB - 1) / MIB));
  }

  private static Optional<Limit> limit(EnvFile env) {
    for (String name : OPTIONS) {
      OptionalLong bytes = flag(env.value(name), "-XX:" + DIRECT_FLAG + "=");
      if (bytes.isPresent()) {
        String title = "-XX:" + DIRECT_FLAG + " in " + name;
        return Optional.of(new Limit(bytes.getAsLong(), title, place(env, name)));
      }
    }
    return megabytes(env.value(OFFHEAP_SIZE)).stream()
        .mapToObj(bytes -> new Limit(bytes, OFFHEAP_SIZE, place(env, OFFHEAP_SIZE)))
        .findFirst();
  }

  private long heap(EnvFile env) {
    for (String name : OPTIONS) {
      OptionalLong bytes = flag(env.value(name), "-Xmx");
      if (bytes.isPresent()) {
        return bytes.getAsLong();
      }
    }
    return megabytes(env.value("HBASE_HEAPSIZE")).orElse(machine.memoryBytes() / SHARE);
  }

  private static String place(EnvFile env, String name) {
    return env.variable(name).map(EnvFile.Variable::place).orElse("environment");
  }

  /** Returns the size in a JVM's flags; the last one counts. */
  private static OptionalLong flag(String options, String name) {
    OptionalLong size = OptionalLong.empty();
    Matcher matcher = Pattern.compile(Pattern.quote(name) + "(\\w+)").matcher(options);
    while (matcher.find()) {
      size = Sizes.parse(matcher.group(1));
    }
    return size;
  }

  /** Returns a size of HBase's scripts, in which a number without a suffix is in megabytes. */
  private static OptionalLong megabytes(String text) {
    return Sizes.parse(text.matches("\\d+") ? text + "m" : text);
  }

  /** Rejects more locked memory than a DataNode of this user may lock, since it would not start. */
  void requireLockable(RoleSetup setup) {
    setup
        .lockedBytes()
        .ifPresent(
            bytes ->
                refusals.addIf(
                    bytes > machine.lockableBytes(),
                    String.format(
                        "--locked-memory is %s, but this user may lock %s (ulimit -l), and a"
                            + " DataNode would not start: raise memlock for its user in"
                            + " /etc/security/limits.conf or LimitMEMLOCK of its unit, run this as"
                            + " that user, or ask for less.",
                        Sizes.format(bytes), Sizes.format(machine.lockableBytes()))));
  }
}
