/**
 * Reads cells from HFile blocks by address: cursors through blocks, the indexes that make a seek
 * short, and what a cache has to be for them ({@link org.fastpath.offheap.reader.DataBlockSource},
 * {@link org.fastpath.offheap.reader.AddressedBlock}). The scanner that uses them is in HBase's
 * package, {@code org.apache.hadoop.hbase.io.hfile}; engines of stores in {@code
 * org.apache.hadoop.hbase.regionserver} attach it, where {@link
 * org.fastpath.offheap.reader.ReaderSupport} says so.
 */
package org.fastpath.offheap.reader;
