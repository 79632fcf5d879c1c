package org.fastpath.bench.jmh;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which of a benchmark's parameter values run by default. {@code @Param} lists every value, and
 * {@code --all} runs them; a person who waits for the answer gets the subset that tells most per
 * minute.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Subset {
  /** {@code name=value,value} of the parameters to narrow by default. */
  String[] standard() default {};

  /** The same for {@code --quick}; applied after {@link #standard()}. */
  String[] quick() default {};
}
