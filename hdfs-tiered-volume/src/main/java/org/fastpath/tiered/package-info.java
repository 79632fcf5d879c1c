/** What the parts of this module have in common. */
package org.fastpath.tiered;
