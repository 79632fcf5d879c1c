package org.apache.hadoop.util;

/** Lets tests of other packages ask {@link NativeCrc32}, the stock one or the patch. */
public final class NativeCrc32Access {
  private NativeCrc32Access() {}

  public static boolean isAvailable() {
    return NativeCrc32.isAvailable();
  }
}
