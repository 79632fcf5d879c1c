/**
 * A differential client: random programs run on a stock cluster and on one with every module on,
 * and what clients see is compared. See {@code docs/design/differential-client.md}.
 */
package org.fastpath.clients.differential;
