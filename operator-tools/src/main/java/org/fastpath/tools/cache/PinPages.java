package org.fastpath.tools.cache;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.tools.jmx.JmxPage;

/** Reads the page at which a RegionServer shows its pinned files. */
final class PinPages {
  private static final String BEAN = "org.fastpath:type=HdfsCachePins";

  private PinPages() {}

  /**
   * Returns the lines of an attribute of its bean, or one line that says that the bean is missing.
   */
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
