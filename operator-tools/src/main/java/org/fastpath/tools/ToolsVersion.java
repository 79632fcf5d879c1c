package org.fastpath.tools;

import picocli.CommandLine.IVersionProvider;

/** Reads the version of this jar from its manifest. */
public final class ToolsVersion implements IVersionProvider {
  private static final String UNPACKED = "unpacked classes";

  /** Returns the version of this jar. Classes outside a jar have none. */
  public static String own() {
    String version = ToolsVersion.class.getPackage().getImplementationVersion();
    return version == null ? UNPACKED : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"hbase-fastpath " + own()};
  }
}
