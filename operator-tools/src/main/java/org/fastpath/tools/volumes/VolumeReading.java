package org.fastpath.tools.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A volume as its DataNode's metrics show it at one moment. Metrics are refreshed every ten seconds
 * unless the DataNode is told otherwise.
 *
 * @param directory where it is
 * @param type its storage type
 * @param choices replicas that were sent to it since the start
 * @param writeP50Nanos half of the writes of late took at most so long
 * @param writeP99Nanos 99 % of them did
 * @param slownessPermille its cost in thousandths of that of its peers
 * @param inFlightBytes bytes that open replicas may still need
 * @param availableBytes room
 * @param excluded whether it is left out for now
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

  /** The volumes in a DataNode's bean, whose records Hadoop numbers from the second one on. */
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
