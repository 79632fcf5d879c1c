/**
 * Benchmarks that verify and generate checksums through the entry points of HBase and HDFS, and by
 * plain {@code java.util.zip} over the same bytes.
 */
package org.fastpath.bench.jmh.checksum;
