package org.fastpath.tiered.regionserver;

import java.util.Optional;

/**
 * The decision of the rules about a file.
 *
 * @param state of the file
 * @param policy that shall apply; empty if no rule applies
 * @param change that gives it the policy
 */
record PlacementDecision(
    RestingFile.State state, Optional<String> policy, RestingFile.Change change) {
  /** Returns the decision to change nothing. */
  static PlacementDecision none(RestingFile.State state) {
    return new PlacementDecision(state, Optional.empty(), RestingFile.Change.NONE);
  }

  /** Returns the decision for a policy, given the current one. */
  static PlacementDecision policy(RestingFile.State state, String wanted, String current) {
    return new PlacementDecision(
        state,
        Optional.of(wanted),
        wanted.equals(current) ? RestingFile.Change.NONE : RestingFile.Change.SET);
  }
}
