/** Common code of the parts of this module. */
package org.fastpath.tiered;
