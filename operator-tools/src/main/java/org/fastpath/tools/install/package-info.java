/**
 * Installs hbase-fastpath into an installation of HBase or Hadoop and takes it out again.
 *
 * <p>{@link org.fastpath.tools.install.Catalog} says what each module needs for each role. {@link
 * org.fastpath.tools.install.Planner} turns that into a {@link org.fastpath.tools.install.Plan} and
 * refuses what cannot work; nothing is written before the plan is complete. {@link
 * org.fastpath.tools.install.Applier} carries the plan out, all of it or nothing.
 */
package org.fastpath.tools.install;
