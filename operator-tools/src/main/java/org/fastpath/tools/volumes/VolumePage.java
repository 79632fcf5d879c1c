package org.fastpath.tools.volumes;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.net.NetUtils;
import org.fastpath.tools.jmx.JmxPage;

/** Reads the volumes of a DataNode from its web pages. Needs Hadoop's common jar and Jackson. */
final class VolumePage {
  static final int WEB_PORT = 9864;

  private static final String BEAN = "Hadoop:service=DataNode,name=VolumeChoice";

  private VolumePage() {}

  /**
   * The volumes of a DataNode.
   *
   * @throws IllegalArgumentException if the text is no HOST or HOST:PORT
   */
  static List<VolumeReading> read(String dataNode) throws IOException {
    var address = NetUtils.createSocketAddr(dataNode, WEB_PORT);
    return VolumeReading.all(JmxPage.bean(address.getHostString(), address.getPort(), BEAN));
  }
}
