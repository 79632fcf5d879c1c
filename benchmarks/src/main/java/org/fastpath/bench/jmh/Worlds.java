package org.fastpath.bench.jmh;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.fastpath.bench.engine.World;

/** The worlds in which a benchmark class is measured; required on every benchmark class. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Worlds {
  /** The worlds, in the order of the report. */
  World[] value();
}
