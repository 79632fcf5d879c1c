/** Computes settings of HBase and HDFS from the volumes of the cluster. */
package org.fastpath.tiered.regionserver.advise;
