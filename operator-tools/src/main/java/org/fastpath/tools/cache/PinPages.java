package org.fastpath.tools.cache;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.tools.jmx.JmxPage;

/** The page at which a RegionServer shows what it has pinned. */
final class PinPages {
  private static final String BEAN = "org.fastpath:type=HdfsCachePins";

  private PinPages() {}

  /** The lines of an attribute of its bean, or one that says that there is none. */
  static List<String> lines(JmxPage page, String address, String attribute) throws IOException {
    JsonNode lines = page.bean(address, BEAN).path(attribute);
    if (!lines.isArray()) {
      return List.of("pins nothing: its log says why, or hdfs-cache-zcr is not put in");
    }
    List<String> texts = new ArrayList<>();
    lines.forEach(line -> texts.add(line.asText()));
    return texts;
  }
}
