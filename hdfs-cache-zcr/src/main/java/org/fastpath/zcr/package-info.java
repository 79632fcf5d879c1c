/**
 * Zero-copy reads of local replicas. A file system for any client of HDFS reads from mappings that
 * the process shares.
 */
package org.fastpath.zcr;
