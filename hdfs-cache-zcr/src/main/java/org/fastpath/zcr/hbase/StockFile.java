package org.fastpath.zcr.hbase;

/** Why all blocks of a store file are read by HBase. */
enum StockFile {
  /** Its table or family says so, or hbase-site.xml. */
  EXCLUDED("excludedReaderCount", "Readers left to HBase: their table or family is excluded"),
  /** The off-heap reader does not read its store. */
  OTHER_READER(
      "otherReaderCount", "Readers left to HBase: the off-heap reader does not read the store"),
  /** It is compressed or encrypted. */
  PACKED("packedReaderCount", "Readers left to HBase: of files compressed or encrypted"),
  /** Its blocks have no checksums of HBase's. */
  UNCHECKED("uncheckedReaderCount", "Readers left to HBase: of files without HBase's checksums"),
  /** Its stream gives no slices. */
  STOCK_STREAM(
      "stockStreamReaderCount",
      "Readers left to HBase: of links, and where fs.hdfs.impl is not the file system of mappings"),
  /** Something went wrong that the log tells. */
  FAILED("failedReaderCount", "Readers left to HBase: another one could not be made");

  private final String metric;
  private final String description;

  StockFile(String metric, String description) {
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
