/** Shows the volumes of DataNodes as a live table. */
package org.fastpath.tools.volumes;
