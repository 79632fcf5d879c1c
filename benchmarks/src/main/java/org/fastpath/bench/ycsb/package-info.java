/** HBase for YCSB: its workloads, by HBase's own client. */
package org.fastpath.bench.ycsb;
