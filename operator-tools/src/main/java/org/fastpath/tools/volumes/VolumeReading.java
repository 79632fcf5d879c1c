package org.fastpath.tools.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

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

  /**
   * Returns the volumes in a DataNode's bean, whose records Hadoop numbers from the second one on.
   */
  static List<VolumeReading> all(JsonNode bean) {
    List<VolumeReading> volumes = new ArrayList<>();
    String record = "";
    while (bean.has("tag.directory" + record)) {
      volumes.add(one(bean, record));
      record = "." + volumes.size();
    }
    return volumes;
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
