package org.fastpath.tiered.datanode.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoveRequestTest {
  @Test
  void itsNameSaysAll() {
    MoveRequest request = MoveRequest.of(16403);
    for (MoveState state : MoveState.values()) {
      for (MoveFailureReason failureReason : MoveFailureReason.values()) {
        MoveRequest changed = request.in(state, Optional.of(failureReason));
        assertThat(MoveRequest.parse(changed.name())).contains(changed);
        assertThat(changed.isSameAs(request)).isTrue();
      }
      MoveRequest changed = request.in(state, Optional.empty());
      assertThat(MoveRequest.parse(changed.name())).contains(changed);
    }
  }

  @Test
  void twoOfOneFileAreTwo() {
    assertThat(MoveRequest.of(1).isSameAs(MoveRequest.of(1))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".mover",
        "16403",
        "x.0194f2a1b3c4-5d6e7f80.waiting",
        "1.0194f2a1b3c4-5d6e7f80.sleeping",
        "1.0194f2a1b3c4-5d6e7f80.waiting-FULL_MOON"
      })
  void otherFilesAreNoRequests(String name) {
    assertThat(MoveRequest.parse(name)).isEmpty();
  }
}
