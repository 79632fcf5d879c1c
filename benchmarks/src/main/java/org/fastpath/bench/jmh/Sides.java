package org.fastpath.bench.jmh;

import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.fastpath.bench.engine.World;

/** The annotations of a benchmark class: its worlds, variants, rivals and default parameters. */
public interface Sides {
  /** The worlds in which a benchmark class is measured; required on every benchmark class. */
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @interface Worlds {
    /** The worlds, in the order of the report. */
    World[] value();
  }

  /**
   * Names a parameter whose values are the variants of the comparison, if one class path can hold
   * them all. In results, the value replaces the world.
   */
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @interface Variants {
    /** The variant that is an earlier build of our cache's jar, in a world of its own. */
    String BEFORE = "before";

    String param();

    /** The value that the report compares with every other. */
    String candidate();

    /** {@code value=words} for values whose names do not explain themselves. */
    String[] legend() default {};
  }

  /**
   * Names other benchmarks that do the same work, and so are in the same rows of the report. A
   * rival is a library's best implementation, measured with the same parameters. On the rival
   * itself, the annotation names none and describes it.
   */
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @interface Rivals {
    /** Names as in the results, {@code checksum.JdkChunksBenchmark.update}. */
    String[] value();

    /** The description of a class that is itself a rival, for the report. */
    String summary() default "";
  }

  /**
   * Selects the parameter values that run by default. {@code @Param} lists every value, and {@code
   * --all} runs them. The default is the subset with the most information per minute.
   */
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @interface Subset {
    /** {@code name=value,value} of the parameters with fewer values by default. */
    String[] standard() default {};

    /** The same for {@code --quick}; applied after {@link #standard()}. */
    String[] quick() default {};
  }
}
