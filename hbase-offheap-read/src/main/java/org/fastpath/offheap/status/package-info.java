/** Holds the status of the jar's features, for all packages; it depends on none of them. */
package org.fastpath.offheap.status;
