/** Reads the beans of daemons by their web pages. */
package org.fastpath.tools.jmx;
