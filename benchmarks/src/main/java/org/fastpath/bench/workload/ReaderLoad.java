package org.fastpath.bench.workload;

import java.util.List;

/** Reads of a table that lies in the cache, by which readers of its blocks are compared. */
enum ReaderLoad {
  /** A row per request. */
  GET("get") {
    @Override
    RequestLoad.Request request(ZipfRequests requests, int batch, int scanRows) {
      return requests.get();
    }
  },
  /** Several rows per request, each chosen by itself. */
  MULTI_GET("multi-get") {
    @Override
    RequestLoad.Request request(ZipfRequests requests, int batch, int scanRows) {
      return requests.multiGet(batch);
    }
  },
  /** A range of rows, all of which the client gets. */
  SCAN("scan") {
    @Override
    RequestLoad.Request request(ZipfRequests requests, int batch, int scanRows) {
      return requests.scan(scanRows, 1);
    }
  },
  /** A range of rows, of which a filter drops nine in ten. */
  FILTER_MOST("scan-filter-90") {
    @Override
    RequestLoad.Request request(ZipfRequests requests, int batch, int scanRows) {
      return requests.scan(scanRows, ONE_IN_TEN);
    }
  },
  /** A range of rows, all of which a filter drops. */
  FILTER_ALL("scan-filter-all") {
    @Override
    RequestLoad.Request request(ZipfRequests requests, int batch, int scanRows) {
      return requests.scan(scanRows);
    }
  };

  private static final double ONE_IN_TEN = 0.1;

  private final String label;

  ReaderLoad(String label) {
    this.label = label;
  }

  /** The name on the command line and in results. */
  String label() {
    return label;
  }

  /**
   * What clients ask for.
   *
   * @param batch rows of a multi-get
   * @param scanRows rows of a range
   */
  abstract RequestLoad.Request request(ZipfRequests requests, int batch, int scanRows);

  /** How many rows a request is for; those that a filter drops count. */
  int rowsOfRequest(int batch, int scanRows) {
    return switch (this) {
      case GET -> 1;
      case MULTI_GET -> batch;
      case SCAN, FILTER_MOST, FILTER_ALL -> scanRows;
    };
  }

  static ReaderLoad of(String label) {
    return Commands.reads(label, List.of(values()), ReaderLoad::label);
  }
}
