/**
 * The page {@code /fastpath} of a RegionServer's web interface. All values come from MBeans, so the
 * page depends on no other jar.
 */
package org.fastpath.regionserver.page;
