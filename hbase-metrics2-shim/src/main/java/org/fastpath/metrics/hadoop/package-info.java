/**
 * Shows the sources of {@link org.fastpath.metrics} through Hadoop Metrics2: in JMX, at {@code
 * /jmx} and {@code /prometheus} or {@code /prom}, and in every sink that is configured.
 */
package org.fastpath.metrics.hadoop;
