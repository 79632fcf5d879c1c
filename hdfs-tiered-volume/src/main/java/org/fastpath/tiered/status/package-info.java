/**
 * The status of the features that run in HBase's daemons, and whether upstream code allows them.
 */
package org.fastpath.tiered.status;
