package org.fastpath.tools.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.fastpath.tools.jmx.Records;

/**
 * The metrics of a volume at one moment. A DataNode refreshes them every ten seconds by default.
 *
 * @param directory of the volume
 * @param type its storage type
 * @param choices replicas placed on it since the start
 * @param writeP50Nanos median of recent writes
 * @param writeP99Nanos 99 % quantile of recent writes
 * @param slownessPermille cost relative to the peers' median times 1000
 * @param inFlightBytes bytes that open replicas may still need
 * @param availableBytes free space
 * @param excluded whether it is excluded
 */
record VolumeReading(
    String directory,
    String type,
    long choices,
    long writeP50Nanos,
    long writeP99Nanos,
    long slownessPermille,
    long inFlightBytes,
    long availableBytes,
    boolean excluded) {

  /** Returns the volumes in a DataNode's bean. */
  static List<VolumeReading> all(JsonNode bean) {
    return Records.suffixes(bean, "directory").stream().map(record -> one(bean, record)).toList();
  }

  private static VolumeReading one(JsonNode bean, String record) {
    return new VolumeReading(
        bean.path("tag.directory" + record).asText(),
        bean.path("tag.storageType" + record).asText(),
        bean.path("choiceCount" + record).asLong(),
        bean.path("writeP50Nanos" + record).asLong(),
        bean.path("writeP99Nanos" + record).asLong(),
        bean.path("slownessPermilleCount" + record).asLong(),
        bean.path("inFlightBytes" + record).asLong(),
        bean.path("availableBytes" + record).asLong(),
        bean.path("excludedCount" + record).asLong() > 0);
  }
}
