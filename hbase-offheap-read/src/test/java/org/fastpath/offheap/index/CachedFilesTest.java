package org.fastpath.offheap.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CachedFilesTest {
  /** 2^32 files later the numbers come again. */
  @Test
  void aNumberIsNotGivenToASecondFileWhileTheFirstIsThere() {
    CachedFiles files = new CachedFiles(-1);
    CachedFile last = files.intern("last");
    CachedFile first = files.intern("first");
    assertThat(last.number()).isEqualTo(-1);
    assertThat(first.number()).isZero();
    CachedFiles wrapped = files.startingAgainAt(-2);
    assertThat(wrapped.intern("third").number()).isEqualTo(-2);
    CachedFile fourth = wrapped.intern("fourth");
    assertThat(fourth.number()).isEqualTo(1);
    assertThat(wrapped.get(-1)).isSameAs(last);
    assertThat(wrapped.get(0)).isSameAs(first);
    assertThat(wrapped.get(1)).isSameAs(fourth);
  }
}
