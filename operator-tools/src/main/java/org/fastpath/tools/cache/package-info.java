/** What RegionServers keep in the memory of DataNodes, asked from the command line. */
package org.fastpath.tools.cache;
