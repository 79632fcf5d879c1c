/**
 * Chunked CRC32 and CRC32C for HDFS and HBase at the speed of the machine (HBASE-11927 and its
 * successors).
 *
 * <p>{@link org.fastpath.checksum.ChecksumEngine} chooses a {@link
 * org.fastpath.checksum.ChunkedCrc} per algorithm; the patches {@code
 * org.apache.hadoop.util.NativeCrc32} and {@code org.apache.hadoop.hbase.io.hfile.ChecksumUtil}
 * call it. This package needs only hadoop-common, so it runs in a DataNode without HBase.
 */
package org.fastpath.checksum;
