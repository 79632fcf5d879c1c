/**
 * Compares the code that a feature relies on with the code on the classpath.
 *
 * <p>The build writes one {@link org.fastpath.common.guard.Reliance} per feature into the jar. It
 * lists the upstream members that the feature uses, and digests of the methods whose behaviour it
 * relies on. {@link org.fastpath.common.guard.Guard} reads the class files that the process would
 * load and compares. It loads no class of HBase or Hadoop, so a check has no side effect.
 */
package org.fastpath.common.guard;
