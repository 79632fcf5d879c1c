/**
 * Reads cells from HFile blocks by address: cursors through blocks, the indexes that make a seek
 * short, and what a cache has to be for them. The scanner that uses them is in HBase's package,
 * {@code org.apache.hadoop.hbase.io.hfile}.
 *
 * <p>Nothing here knows the cache: it knows this package, and gives blocks as {@link
 * org.fastpath.offheap.reader.AddressedBlock}s.
 */
package org.fastpath.offheap.reader;
