package org.fastpath.zcr.pin;

import java.util.List;
import java.util.stream.Stream;

/**
 * The directives of one path in the pool.
 *
 * @param path in HDFS, without scheme and authority
 * @param ids of its directives, the oldest first; two servers may have added one each
 * @param bytes of memory that count against the limit
 * @param cachedBytes of these, locked by DataNodes
 * @param expires end of the first one, in milliseconds of the NameNode's clock
 * @param expired whether one of them has expired and takes no memory
 */
record Directive(
    String path, List<Long> ids, long bytes, long cachedBytes, long expires, boolean expired) {
  Directive {
    ids = List.copyOf(ids);
  }

  Directive expiringAt(long millis) {
    return new Directive(path, ids, bytes, cachedBytes, millis, false);
  }

  /** Returns only its first directive. */
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
