/**
 * Reads data blocks of HFiles without a copy, in mappings of replicas that a local DataNode holds
 * in locked memory.
 */
package org.fastpath.zcr.hbase;
