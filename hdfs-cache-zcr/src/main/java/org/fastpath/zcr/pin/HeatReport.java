package org.fastpath.zcr.pin;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * A RegionServer's report to the coordinator: its regions, the heat of relevant files, and a hash
 * of each open file. A report is complete, so a new coordinator needs only one from each server.
 *
 * <p>Its size is limited to {@link #MAX_FILES} files with their heat and {@link #MAX_OPEN} hashes.
 * A server with 3,000 open files, of which 1,000 are relevant, sends about 80 KB.
 *
 * <pre>
 *   byte version | UTF server | byte complete
 *   int n | n × UTF region
 *   int n | n × ( front-coded path | long length | byte policy | byte flags | float heat )
 *   int n | n × long hash
 * </pre>
 *
 * @param server host, port and start code
 * @param complete whether all open files are in {@code open}
 * @param regions encoded names of those that are not closing
 * @param files relevant files, sorted by path
 * @param open hashes of all files that are open or pending
 */
record HeatReport(
    String server, boolean complete, Set<String> regions, List<FileHeat> files, long[] open) {
  static final int MAX_FILES = 1_000;
  static final int MAX_OPEN = 100_000;
  private static final int MAX_REGIONS = 20_000;
  private static final byte VERSION = 1;
  private static final int OWN = 1;
  private static final int CACHEABLE = 2;
  private static final int PENDING = 4;
  private static final int SETTLING = 8;

  HeatReport {
    regions = Set.copyOf(regions);
    files = files.stream().sorted(Comparator.comparing(FileHeat::path)).toList();
  }

  /** Returns the hash of a path for {@link #open}. */
  static long hash(String path) {
    return Hashing.murmur3_128().hashString(path, StandardCharsets.UTF_8).asLong();
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(VERSION);
    out.writeUTF(server);
    out.writeBoolean(complete);
    out.writeInt(regions.size());
    for (String region : regions) {
      out.writeUTF(region);
    }
    out.writeInt(files.size());
    FrontCoding paths = new FrontCoding();
    for (FileHeat file : files) {
      paths.write(file.path(), out);
      write(file, out);
    }
    out.writeInt(open.length);
    for (long hash : open) {
      out.writeLong(hash);
    }
    return bytes.toByteArray();
  }

  private static void write(FileHeat file, DataOutputStream out) throws IOException {
    out.writeLong(file.length());
    out.writeByte(file.policy().ordinal());
    out.writeByte(
        (file.own() ? OWN : 0)
            | (file.cacheable() ? CACHEABLE : 0)
            | (file.pending() ? PENDING : 0)
            | (file.settling() ? SETTLING : 0));
    out.writeFloat((float) file.heat());
  }

  /**
   * Reads another server's report.
   *
   * @throws IOException if it has another version or is no report
   */
  static HeatReport of(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    byte version = in.readByte();
    if (version != VERSION) {
      throw new IOException("a report of version " + version + ", known is " + VERSION);
    }
    String server = in.readUTF();
    boolean complete = in.readBoolean();
    Set<String> regions = new HashSet<>();
    for (int i = FrontCoding.count(in, MAX_REGIONS); i > 0; i--) {
      regions.add(in.readUTF());
    }
    List<FileHeat> files = new ArrayList<>();
    FrontCoding paths = new FrontCoding();
    for (int i = FrontCoding.count(in, MAX_FILES); i > 0; i--) {
      files.add(file(paths.read(in), in));
    }
    long[] open = new long[FrontCoding.count(in, MAX_OPEN)];
    for (int i = 0; i < open.length; i++) {
      open[i] = in.readLong();
    }
    return new HeatReport(server, complete, regions, files, open);
  }

  private static FileHeat file(String path, DataInputStream in) throws IOException {
    long length = in.readLong();
    int policy = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    float heat = in.readFloat();
    if (length <= 0 || policy >= PinPolicy.values().length || !(heat >= 0)) {
      throw new IOException("a report with an impossible file " + path);
    }
    return new FileHeat(
        path,
        length,
        PinPolicy.values()[policy],
        (flags & OWN) != 0,
        (flags & CACHEABLE) != 0,
        (flags & PENDING) != 0,
        heat,
        (flags & SETTLING) != 0);
  }
}
