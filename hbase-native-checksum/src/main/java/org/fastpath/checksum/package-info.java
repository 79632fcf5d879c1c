/**
 * Chunked CRC32 and CRC32C for HDFS and HBase at the speed of the machine (HBASE-11927, and what
 * became of it).
 *
 * <p>{@link org.fastpath.checksum.ChecksumEngine} chooses a {@link
 * org.fastpath.checksum.ChunkedCrc} per algorithm; the patches {@code
 * org.apache.hadoop.util.NativeCrc32} and {@code org.apache.hadoop.hbase.io.hfile.ChecksumUtil}
 * call it. Of Hadoop this package needs hadoop-common only, so that it runs in a DataNode without
 * HBase.
 */
package org.fastpath.checksum;
