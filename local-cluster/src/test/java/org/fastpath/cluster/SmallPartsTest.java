package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts that need no process. */
class SmallPartsTest {
  @TempDir private Path directory;

  @Test
  void sizesAreParsedAsTheJvmDoes() {
    assertThat(Sizes.parse("512m")).isEqualTo(512L << 20);
    assertThat(Sizes.parse("2G")).isEqualTo(2L << 30);
    assertThat(Sizes.parse("1024")).isEqualTo(1024);
    assertThatThrownBy(() -> Sizes.parse("much")).hasMessageContaining("'much'");
    assertThatThrownBy(() -> Sizes.parse("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Sizes.parse("9999999999t")).hasMessageContaining("9999999999t");
  }

  @Test
  void jmxAttributesAreFoundAsText() {
    String json =
        "{\"beans\":[{\"name\":\"x\",\"a\" : 12,\n\"b\" : \"{\\\"h:1\\\":{}}\",\"c\":\"\"}]}";
    assertThat(Jmx.attribute(json, "a")).contains("12");
    assertThat(Jmx.attribute(json, "b")).contains("{\"h:1\":{}}");
    assertThat(Jmx.attribute(json, "c")).contains("");
    assertThat(Jmx.attribute(json, "d")).isEmpty();
  }

  @Test
  void devicesAreReadFromJmx() {
    String json =
        "{\"beans\":[{\"ReadBytes\" : [ 1, 2 ],\"WrittenBytes\" : [ 3,4 ],\n\"BusyNanos\" : [ 5, 6 ]}]}";
    assertThat(DeviceUse.parse(json))
        .containsExactly(new DeviceUse(1, 3, 5), new DeviceUse(2, 4, 6));
    assertThat(new DeviceUse(2, 4, 6).since(new DeviceUse(1, 1, 1)))
        .isEqualTo(new DeviceUse(1, 3, 5));
    assertThat(DeviceUse.parse("{\"beans\":[]}")).isEmpty();
  }

  @Test
  void theTailOfALogIsWhatStandsOut() throws IOException {
    Path log = directory.resolve("x.log");
    Files.writeString(
        log,
        "INFO starting\nERROR broken\njava.net.BindException: in use\n\tat some.Frame(Line:1)\nINFO bye\n");
    assertThat(LogTail.of(log)).containsExactly("ERROR broken", "java.net.BindException: in use");
    Files.writeString(log, "INFO starting\nINFO bye\n");
    assertThat(LogTail.of(log)).containsExactly("INFO starting", "INFO bye");
    assertThat(LogTail.of(directory.resolve("none"))).singleElement().asString().contains("none");
  }

  @Test
  void clustersThatStartAtOnceGetDifferentPorts() throws IOException {
    Ports one = new Ports(directory.resolve("one"));
    Ports two = new Ports(directory.resolve("two"));
    Set<Integer> chosen = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      chosen.add(one.of("daemon-" + i));
      chosen.add(two.of("daemon-" + i));
    }

    assertThat(chosen).hasSize(1000);
  }

  @Test
  void portsAreChosenOnceAndAgain() throws IOException {
    Path file = directory.resolve("ports");
    Ports first = new Ports(file);
    int a = first.of("a");
    assertThat(first.of("a")).isEqualTo(a);
    assertThat(first.of("b")).isNotEqualTo(a);
    first.save(file);
    assertThat(new Ports(file).of("a")).isEqualTo(a);
  }

  @Test
  void theNativeLibraryIsForThisMachine() throws IOException {
    assertThat(NativeLibrary.isAvailable()).isTrue();
    Path library = NativeLibrary.extractTo(directory.resolve("native")).resolve("libhadoop.so");
    try (InputStream in = Files.newInputStream(library)) {
      assertThat(in.readNBytes(4)).containsExactly(0x7f, 'E', 'L', 'F');
    }
  }

  @Test
  void cpuTimeGrowsAndSubtracts() throws IOException {
    CpuTime own = CpuTime.ofProcess(ProcessHandle.current().pid());
    assertThat(own.totalNanos()).isEqualTo(own.userNanos() + own.systemNanos()).isPositive();
    assertThat(own.minus(own).totalNanos()).isZero();
  }

  @Test
  void splitMemoryIsAsLongAsItsFile() throws IOException {
    Path file = directory.resolve("kept");
    FreeMemory.split(file, 8);
    assertThat(file).hasSize(8 << 20);
    assertThat(directory).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void memoryIsNotSplitInAMissingDirectory() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> FreeMemory.split(missing.resolve("kept"), 8))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("missing");
  }
}
