package org.fastpath.common.guard;

import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Looks the CRCs of class files up for all jars of ours in a process.
 *
 * <p>Each jar has a copy of this class under a name of its own. The copy that is asked first looks
 * up for the others, which find it by a system property. So the jars of the class path are searched
 * once and not once for each of ours. Only types of the JDK go from one copy to another. If the
 * other copy cannot be used, a copy looks up by itself. Thread-safe.
 */
public final class SharedCrcs implements ToLongFunction<String> {
  /** Names the copy of this class that looks up for all. */
  static final String PROPERTY = "org.fastpath.guard.crcs";

  private static final String APPLICATION = "jdk.internal.loader.ClassLoaders$AppClassLoader";

  /** Freed when memory is scarce: only a start needs it. */
  private static SoftReference<SharedCrcs> own = new SoftReference<>(null);

  private final ClassPathJars jars;
  private final Map<String, Long> crcs = new HashMap<>();

  private SharedCrcs(ClassPathJars jars) {
    this.jars = jars;
  }

  /**
   * Returns the look-up for a class loader; null if only the class loader itself knows where its
   * class files are.
   */
  static ToLongFunction<String> of(ClassLoader loader) {
    if (loader == null || !loader.getClass().getName().equals(APPLICATION)) {
      return null;
    }
    String mine = SharedCrcs.class.getName();
    String first = System.getProperty(PROPERTY);
    if (first == null) {
      System.setProperty(PROPERTY, mine);
    }
    return first == null || first.equals(mine) ? own(loader) : ofCopy(first, loader);
  }

  @SuppressWarnings("unchecked")
  private static ToLongFunction<String> ofCopy(String name, ClassLoader loader) {
    try {
      Class<?> copy = Class.forName(name, true, loader);
      return (ToLongFunction<String>) copy.getMethod("own", ClassLoader.class).invoke(null, loader);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      return own(loader);
    }
  }

  /** Returns what this copy looks up with. Other copies call it by its name. */
  public static synchronized ToLongFunction<String> own(ClassLoader loader) {
    SharedCrcs known = own.get();
    if (known == null) {
      ClassPathJars jars = new ClassPathJars(System.getProperty("java.class.path", ""));
      known = new SharedCrcs(jars.isSearchedBy(loader) ? jars : null);
      own = new SoftReference<>(known);
    }
    return known;
  }

  /**
   * Returns the CRC of a class file; -1 if it is in no jar or if the path of jars is not known.
   *
   * @param name the internal name of the class
   */
  @Override
  public synchronized long applyAsLong(String name) {
    Long crc = crcs.get(name);
    if (crc == null) {
      crc = jars == null ? ClassPathJars.UNKNOWN : jars.crc(name);
      crcs.put(name, crc);
    }
    return crc;
  }
}
