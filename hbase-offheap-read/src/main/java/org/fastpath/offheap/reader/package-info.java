/**
 * An off-heap reader of HFiles. Engines of stores in {@code org.apache.hadoop.hbase.regionserver}
 * attach it; what they ask for is in {@link org.fastpath.offheap.reader.ReaderSupport}.
 */
package org.fastpath.offheap.reader;
