/** Shows on the command line the files that RegionServers keep in the memory of DataNodes. */
package org.fastpath.tools.cache;
