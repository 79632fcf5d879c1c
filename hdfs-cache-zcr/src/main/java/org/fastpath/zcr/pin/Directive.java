package org.fastpath.zcr.pin;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the pool has for one path.
 *
 * @param path in HDFS, without scheme and authority
 * @param ids of its directives, the oldest first; two servers can have asked for it at once
 * @param bytes of memory that they count against the limit
 * @param cachedBytes of these, those that DataNodes have locked
 * @param expires when the first of them does, in milliseconds of the NameNode's clock
 * @param expired whether one of them has, which then takes no memory
 */
record Directive(
    String path, List<Long> ids, long bytes, long cachedBytes, long expires, boolean expired) {
  Directive {
    ids = List.copyOf(ids);
  }

  Directive expiringAt(long millis) {
    return new Directive(path, ids, bytes, cachedBytes, millis, false);
  }

  /** Its first directive alone. */
  Directive single() {
    return new Directive(
        path, ids.subList(0, 1), bytes / ids.size(), cachedBytes / ids.size(), expires, expired);
  }

  Directive and(Directive other) {
    return new Directive(
        path,
        Stream.concat(ids.stream(), other.ids.stream()).toList(),
        bytes + other.bytes,
        cachedBytes + other.cachedBytes,
        Math.min(expires, other.expires),
        expired || other.expired);
  }
}
