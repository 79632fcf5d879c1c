package org.fastpath.tools.volumes;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.net.NetUtils;
import org.fastpath.tools.jmx.JmxPage;

/** Reads the volumes of a DataNode from its web pages. Needs Hadoop's common jar and Jackson. */
final class VolumePage {
  static final int WEB_PORT = 9864;
  static final int SECURE_WEB_PORT = 9865;

  private static final String SECURE = "https://";

  private static final String BEAN = "Hadoop:service=DataNode,name=VolumeChoice";

  private VolumePage() {}

  /**
   * Returns the volumes of a DataNode.
   *
   * @throws IllegalArgumentException if the text is no [https://]HOST[:PORT]
   */
  static List<VolumeReading> read(JmxPage page, String dataNode) throws IOException {
    boolean secure = dataNode.startsWith(SECURE);
    String host = secure ? dataNode.substring(SECURE.length()) : dataNode;
    var address = NetUtils.createSocketAddr(host, secure ? SECURE_WEB_PORT : WEB_PORT);
    String scheme = secure ? SECURE : "http://";
    return VolumeReading.all(
        page.bean(scheme + address.getHostString() + ":" + address.getPort(), BEAN));
  }
}
