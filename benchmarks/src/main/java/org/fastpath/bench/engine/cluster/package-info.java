/** Local clusters whose servers change variants, their clients, and windows of measurements. */
package org.fastpath.bench.engine.cluster;
