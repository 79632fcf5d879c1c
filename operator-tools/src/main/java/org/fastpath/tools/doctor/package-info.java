/**
 * Looks for mistakes in configuration directories and in running daemons.
 *
 * <p>{@link org.fastpath.tools.doctor.Evidence} is all that the doctor has seen. A {@link
 * org.fastpath.tools.doctor.Check} reads it and reports {@link org.fastpath.tools.doctor.Problem}s.
 * No check does input or output, and none depends on another one.
 */
package org.fastpath.tools.doctor;
