package org.fastpath.bench.tiered;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What has a name on the command line and in results. */
interface Labelled {
  /** The name. */
  String label();

  /**
   * The one of this name.
   *
   * @param kind what they all are, in a word
   * @throws IllegalArgumentException naming those that there are
   */
  static <T extends Labelled> T named(String kind, T[] all, String label) {
    return Arrays.stream(all)
        .filter(one -> one.label().equals(label))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Arrays.stream(all)
                        .map(Labelled::label)
                        .collect(
                            Collectors.joining(
                                ", ", "no " + kind + " '" + label + "': there are ", ""))));
  }
}
