/** The status of the features that run in HBase's daemons, and whether HBase's code allows them. */
package org.fastpath.zcr.status;
