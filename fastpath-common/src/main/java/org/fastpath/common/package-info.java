/**
 * Shared plumbing of all feature modules. Each module's jar carries its own relocated copy, so a
 * class of this package never clashes with that of another version.
 */
package org.fastpath.common;
