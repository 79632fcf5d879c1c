/** The command line of an operator. It runs from the release archive, without the source tree. */
package org.fastpath.tools;
