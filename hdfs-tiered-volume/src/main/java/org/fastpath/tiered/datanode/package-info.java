/**
 * Which volume of a DataNode a new replica goes to, decided by what each volume is doing now, and
 * how the blocks of a file get to another storage type. Needs the classes of HDFS only.
 */
package org.fastpath.tiered.datanode;
