package org.fastpath.tools.jmx;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The records of a bean of Metrics2. Hadoop numbers the names of all records but the first. */
public final class Records {
  private Records() {}

  /**
   * Returns the end of the names in each record: empty, then {@code .1}, {@code .2} and so on.
   *
   * @param tag a tag that all records of the bean have
   */
  public static List<String> suffixes(JsonNode bean, String tag) {
    List<String> suffixes = new ArrayList<>();
    String suffix = "";
    while (bean.has("tag." + tag + suffix)) {
      suffixes.add(suffix);
      suffix = "." + suffixes.size();
    }
    return suffixes;
  }
}
