package org.fastpath.bench.docs;

import java.util.function.UnaryOperator;
import org.fastpath.metrics.hadoop.HadoopNames;

/** A kind of process that may show a source. */
enum Place {
  REGION_SERVER("RegionServer", HadoopNames::regionServerBean),
  MASTER("HMaster", HadoopNames::masterBean),
  DATA_NODE("DataNode", HadoopNames::dataNodeBean),
  CLIENT("client", HadoopNames::clientBean);

  private final String label;
  private final UnaryOperator<String> bean;

  Place(String label, UnaryOperator<String> bean) {
    this.label = label;
    this.bean = bean;
  }

  /** Returns the word for it. */
  String label() {
    return label;
  }

  /** Returns the name of a source's bean in it. */
  String bean(String source) {
    return bean.apply(source);
  }
}
