package org.fastpath.tiered.regionserver;

import java.util.Optional;

/**
 * What the rules want of a file.
 *
 * @param state what it is to them
 * @param policy which is to count; empty if no rule is about it
 * @param change how it gets the policy
 */
record PlacementDecision(
    RestingFile.State state, Optional<String> policy, RestingFile.Change change) {
  /** Nothing. */
  static PlacementDecision none(RestingFile.State state) {
    return new PlacementDecision(state, Optional.empty(), RestingFile.Change.NONE);
  }

  /** A policy, beside the one that counts now. */
  static PlacementDecision policy(RestingFile.State state, String wanted, String current) {
    return new PlacementDecision(
        state,
        Optional.of(wanted),
        wanted.equals(current) ? RestingFile.Change.NONE : RestingFile.Change.SET);
  }
}
