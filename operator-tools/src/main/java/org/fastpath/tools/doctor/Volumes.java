package org.fastpath.tools.doctor;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The volumes of a DataNode, by their storage types. */
final class Volumes {
  static final String KEY = "dfs.datanode.data.dir";
  private static final Pattern TYPED = Pattern.compile("\\[(\\w+)].*");
  private static final String UNTYPED = "DISK";

  private Volumes() {}

  /** Returns the number of volumes of each type. */
  static Map<String, Integer> types(ConfDirectory directory) {
    Map<String, Integer> types = new TreeMap<>();
    for (String volume : directory.site().list(KEY)) {
      Matcher typed = TYPED.matcher(volume);
      String type = typed.matches() ? typed.group(1).toUpperCase(Locale.ROOT) : UNTYPED;
      types.merge(type, 1, Integer::sum);
    }
    return types;
  }
}
