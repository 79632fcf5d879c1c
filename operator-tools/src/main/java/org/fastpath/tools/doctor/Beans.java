package org.fastpath.tools.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fastpath.tools.conf.Role;

/** The MBeans that the doctor reads. */
final class Beans {
  static final String FEATURES = "org.fastpath:type=Feature,name=*";
  static final String FEATURE_PREFIX = "org.fastpath:type=Feature,";
  static final String RUNTIME = "java.lang:type=Runtime";
  static final String MEMORY = "java.lang:type=Memory";
  static final String SYSTEM = "java.lang:type=OperatingSystem";
  static final String CACHE = server("OffHeapCache");
  static final String READER = server("OffHeapReader");
  static final String PINS = server("HdfsCachePins");
  static final String MASTER = "Hadoop:service=HBase,name=Master,sub=Server";
  static final String NAMENODE = "Hadoop:service=NameNode,name=NameNodeInfo";
  static final String DATASET = "Hadoop:service=DataNode,name=FSDatasetState-*";
  static final String DATASET_PREFIX = "Hadoop:service=DataNode,name=FSDatasetState-";

  /** The queries for every daemon. The first one shows whether it answers. */
  private static final List<String> OF_ALL = List.of(FEATURES, RUNTIME, MEMORY, SYSTEM);

  private Beans() {}

  private static String server(String sub) {
    return "Hadoop:service=HBase,name=RegionServer,sub=" + sub;
  }

  /**
   * Returns the queries for a daemon of that kind. They never ask for all beans: these may be many
   * MB.
   */
  static List<String> queries(Optional<Role> role) {
    List<String> queries = new ArrayList<>(OF_ALL);
    role.ifPresent(known -> queries.addAll(of(known)));
    return queries;
  }

  /** Returns the queries for a daemon of a known kind. */
  static List<String> of(Role role) {
    return switch (role) {
      case REGIONSERVER -> List.of(CACHE, READER, PINS);
      case MASTER -> List.of(MASTER);
      case DATANODE -> List.of(DATASET);
      case NAMENODE -> List.of(NAMENODE);
      case CLIENT -> List.of();
    };
  }
}
