package org.fastpath.metrics.region;

/** An operation that is timed, with the name and description of its histogram. */
enum TimedOperation {
  GET("get", "Time of a single get, from finding its region to its cells"),
  MULTI_GET_ROW("multiGetRow", "Time of one get of a multi-get"),
  SCAN_NEXT("scanNext", "Time of one scan request, which returns many rows"),
  PUT("put", "Time of a put, from the begin of its batch until it is durable and visible"),
  DELETE("delete", "Time of a delete, from the begin of its batch until it is durable and visible");

  private final String metric;
  private final String description;

  TimedOperation(String metric, String description) {
    this.metric = metric;
    this.description = description;
  }

  String metric() {
    return metric;
  }

  String description() {
    return description;
  }
}
