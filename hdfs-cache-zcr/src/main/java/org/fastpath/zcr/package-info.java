/**
 * Zero-copy reads of replicas on the same machine: a file system for any client of HDFS whose
 * streams read from mappings that the process shares.
 */
package org.fastpath.zcr;
