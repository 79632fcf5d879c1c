package org.fastpath.bench.jmh;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names a parameter whose values are the variants of the comparison. Worlds are not necessary if
 * classes of different names can share one class path. In results, the value replaces the world. In
 * each round, the values run one right after the other.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Variants {
  /** The variant that is an earlier build of our cache's jar, in a world of its own. */
  String BEFORE = "before";

  /** The name of the parameter. */
  String param();

  /** The value that the report compares with every other. */
  String candidate();

  /** {@code value=words} for values whose names do not explain themselves. */
  String[] legend() default {};
}
