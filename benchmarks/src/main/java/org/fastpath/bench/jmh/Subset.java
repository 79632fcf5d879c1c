package org.fastpath.bench.jmh;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Selects the parameter values that run by default. {@code @Param} lists every value, and {@code
 * --all} runs them. The default is the subset with the most information per minute.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Subset {
  /** {@code name=value,value} of the parameters with fewer values by default. */
  String[] standard() default {};

  /** The same for {@code --quick}; applied after {@link #standard()}. */
  String[] quick() default {};
}
