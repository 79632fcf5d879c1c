package org.fastpath.tiered.regionserver.guard;

import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fastpath.tiered.regionserver.guard.LocatedFile.Placement;
import org.junit.jupiter.api.Test;

class LocatedFileTest {
  @Test
  void replicasOnTheTypesOfThePolicyAreInPlaceInAnyOrder() {
    assertThat(LocatedFile.match(List.of(SSD, DISK, DISK), List.of(DISK, SSD, DISK)))
        .containsExactlyInAnyOrder(
            new Placement(SSD, SSD), new Placement(DISK, DISK), new Placement(DISK, DISK))
        .noneMatch(Placement::isFallback);
  }

  @Test
  void aReplicaElsewhereIsInPlaceOfTheOneThatIsLacking() {
    assertThat(LocatedFile.match(List.of(SSD, DISK, DISK), List.of(DISK, DISK, DISK)))
        .filteredOn(Placement::isFallback)
        .containsExactly(new Placement(SSD, DISK));
    assertThat(LocatedFile.match(List.of(SSD, SSD), List.of(ARCHIVE, DISK)))
        .containsExactly(new Placement(SSD, ARCHIVE), new Placement(SSD, DISK));
  }

  @Test
  void aReplicaThatIsNotKnownYetIsNoFallback() {
    assertThat(LocatedFile.match(List.of(SSD, DISK, DISK), List.of(DISK, DISK)))
        .noneMatch(Placement::isFallback);
  }

  @Test
  void whereNoTypeIsWantedNoneIsMissed() {
    assertThat(LocatedFile.match(List.of(), List.of(DISK, SSD))).isEmpty();
  }
}
