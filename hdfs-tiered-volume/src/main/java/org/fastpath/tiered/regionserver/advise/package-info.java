/** Settings of HBase and HDFS computed from the volumes that there are. */
package org.fastpath.tiered.regionserver.advise;
