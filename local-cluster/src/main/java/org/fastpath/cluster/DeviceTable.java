package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The devices of a DataNode's volumes. The process that owns the cluster passes them to the
 * DataNode in a small file, which is replaced as a whole. Immutable.
 *
 * <pre>
 *   3                                                    revision
 *   4.0E7 Infinity 0 0.0 WORKING  TAB  /data/volume-0    speed and volumes of the first device
 *   8.0E7 Infinity 0 0.0 WORKING  TAB  /data/volume-0,/data/volume-1
 * </pre>
 *
 * <p>The DataNode writes the applied revision into a second file.
 */
record DeviceTable(long revision, List<Device> devices) {
  /** A device and the directories of the volumes on it. */
  record Device(VolumeSpeed speed, List<String> volumes) {
    String format() {
      return speed.format() + '\t' + String.join(",", volumes);
    }

    static Device parse(String line) {
      int tab = line.indexOf('\t');
      return new Device(
          VolumeSpeed.parse(line.substring(0, tab)), List.of(line.substring(tab + 1).split(",")));
    }
  }

  String format() {
    return Stream.concat(Stream.of(Long.toString(revision)), devices.stream().map(Device::format))
        .collect(Collectors.joining("\n"));
  }

  static DeviceTable parse(String text) {
    List<String> lines = text.lines().toList();
    return new DeviceTable(
        Long.parseLong(lines.get(0)), lines.stream().skip(1).map(Device::parse).toList());
  }

  /** Returns the file of the DataNode's answer. */
  static Path applied(Path file) {
    return file.resolveSibling(file.getFileName() + ".applied");
  }

  /** Replaces a file in one step, so that the other process never sees a part of it. */
  static void write(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(temporary, text);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
