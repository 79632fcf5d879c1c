/** Parts of HBase and HDFS for benchmarks and simulators: blocks, caches, volumes. */
package org.fastpath.bench.engine.parts;
