/** What the volumes of DataNodes are doing, as their own metrics say. */
package org.fastpath.bench.volumes;
