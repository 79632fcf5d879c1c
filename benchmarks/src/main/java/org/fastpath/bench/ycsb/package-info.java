/** A binding of YCSB that runs its workloads by HBase's own client. */
package org.fastpath.bench.ycsb;
