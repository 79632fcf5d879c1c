package org.fastpath.bench.jmh;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter whose values are the sides of the comparison, where worlds would be too much: things
 * of different names can all be on one class path. In results the value stands in place of the
 * world, and in each round the values run one right after the other.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Sides {
  /** The side that is an earlier build of our cache's jar, in a world of its own. */
  String BEFORE = "before";

  /** The name of the parameter. */
  String param();

  /** The value that the report compares with every other. */
  String candidate();

  /** {@code value=words} for what a reader may not know by its name. */
  String[] legend() default {};
}
