package org.fastpath.bench.engine;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The main class of a measuring JVM, which runs one {@link Lines.Probe}. */
public final class ProbeMain {
  private ProbeMain() {}

  /** Returns the arguments with which {@link #main} runs a probe. */
  public static List<String> arguments(
      Class<? extends Lines.Probe> probe, Map<String, String> params) {
    List<String> arguments = new ArrayList<>(List.of(probe.getName()));
    params.forEach((name, value) -> arguments.add(name + "=" + value));
    return arguments;
  }

  /**
   * Runs a probe. Arguments: its class and its parameters as {@code name=value}. Ends the JVM even
   * though caches and HDFS clients have threads that are not daemons, with 1 if the probe failed.
   */
  public static void main(String[] args) {
    try {
      World.confirmCurrent();
      Map<String, String> params = new LinkedHashMap<>();
      for (String arg : List.of(args).subList(1, args.length)) {
        params.put(arg.substring(0, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
      }
      Constructor<?> probe = Class.forName(args[0]).getDeclaredConstructor();
      probe.setAccessible(true);
      ((Lines.Probe) probe.newInstance()).measure(params, Lines.writer());
    } catch (IOException | ReflectiveOperationException | RuntimeException | Error e) {
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }
}
