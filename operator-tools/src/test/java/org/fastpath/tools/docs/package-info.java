/** Holds the documentation to its style, and its links and snippets to the code. */
package org.fastpath.tools.docs;
