/**
 * Reads cells from HFile blocks by address. The package has cursors through blocks and the indexes
 * that make a seek short. It defines the interfaces that a cache implements for them ({@link
 * org.fastpath.offheap.reader.DataBlockSource}, {@link
 * org.fastpath.offheap.reader.AddressedBlock}). The scanner is in HBase's package {@code
 * org.apache.hadoop.hbase.io.hfile}. Engines of stores in {@code
 * org.apache.hadoop.hbase.regionserver} attach it if {@link
 * org.fastpath.offheap.reader.ReaderSupport} allows it.
 */
package org.fastpath.offheap.reader;
