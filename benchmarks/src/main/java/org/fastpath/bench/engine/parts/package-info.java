/** Parts of HBase and HDFS that benchmarks and simulators are fed with: blocks, caches, volumes. */
package org.fastpath.bench.engine.parts;
