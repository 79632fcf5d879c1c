package org.fastpath.tools.install;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.fastpath.tools.conf.Home;

/** Writes the lines of an env file. */
final class EnvBlock {
  private static final int MIB_BITS = 20;

  private final List<String> lines = new ArrayList<>();

  EnvBlock(Collection<RoleSetup> setups) {
    setups.forEach(setup -> lines.add(setup.line()));
  }

  /** Puts jars in front of the class path. */
  void jars(Home.Product product, List<Path> jars) {
    if (jars.isEmpty()) {
      return;
    }
    if (product == Home.Product.HBASE) {
      inFront("HBASE_CLASSPATH_PREFIX", joined(jars, false));
    } else {
      inFront("HADOOP_CLASSPATH", joined(jars, true));
      export("HADOOP_USER_CLASSPATH_FIRST", "yes");
    }
  }

  private static String joined(List<Path> jars, boolean patterns) {
    return jars.stream()
        .map(Path::toString)
        .map(patterns ? ShellQuote::pattern : ShellQuote::quoted)
        .collect(Collectors.joining(":"));
  }

  private void inFront(String name, String value) {
    export(name, value + "${" + name + ":+:$" + name + "}");
  }

  /** Limits direct memory; HBase's scripts know the suffixes m and g. */
  void directMemory(OptionalLong bytes) {
    bytes.ifPresent(limit -> export("HBASE_OFFHEAPSIZE", (limit >> MIB_BITS) + "m"));
  }

  /** Sets the directory of libhadoop.so. */
  void nativeLibraries(Path directory) {
    export("HBASE_LIBRARY_PATH", ShellQuote.quoted(directory.toString()));
  }

  private void export(String name, String value) {
    lines.add("export " + name + "=\"" + value + "\"");
  }

  String body() {
    return String.join("\n", lines);
  }
}
