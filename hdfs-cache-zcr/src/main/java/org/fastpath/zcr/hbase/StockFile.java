package org.fastpath.zcr.hbase;

/** The reason why HBase reads all blocks of a store file. */
enum StockFile {
  /** Its table or family, or hbase-site.xml, disables mapped blocks. */
  EXCLUDED("excludedReaderCount", "Readers left to HBase: their table or family is excluded"),
  /** The off-heap reader does not read its store. */
  OTHER_READER(
      "otherReaderCount", "Readers left to HBase: the off-heap reader does not read the store"),
  /** It is compressed or encrypted. */
  PACKED("packedReaderCount", "Readers left to HBase: the file is compressed or encrypted"),
  /** Its blocks do not have HBase's checksums. */
  UNCHECKED("uncheckedReaderCount", "Readers left to HBase: the file has no checksums of HBase"),
  /** Its stream gives no slices. */
  STOCK_STREAM(
      "stockStreamReaderCount", "Readers left to HBase: fs.hdfs.impl is another file system"),
  /** A failure that the log names. */
  FAILED("failedReaderCount", "Readers left to HBase: a failure while the file was opened");

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
