/**
 * Chooses the volume of a DataNode for a new replica by the current work of each volume. Also moves
 * the blocks of a file to another storage type. It needs only the classes of HDFS.
 */
package org.fastpath.tiered.datanode;
