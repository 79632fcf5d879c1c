/**
 * Data blocks of HFiles without a copy: over mappings of replicas that a DataNode of the same
 * machine holds in locked memory.
 */
package org.fastpath.zcr.hbase;
