/** Reads configuration directories and installations of HBase and Hadoop. */
package org.fastpath.tools.conf;
