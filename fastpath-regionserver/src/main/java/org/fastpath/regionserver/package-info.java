/**
 * Switches on the features of all jars that are on the class path of a RegionServer. {@link
 * org.fastpath.regionserver.FastpathRegionServer} is the only class that an operator names.
 */
package org.fastpath.regionserver;
