/**
 * A differential client. It runs random programs on a stock cluster and on one with every module
 * on, and compares the outcomes that clients see. See {@code docs/design/differential-client.md}.
 */
package org.fastpath.clients.differential;
