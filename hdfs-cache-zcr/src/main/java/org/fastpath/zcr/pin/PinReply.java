package org.fastpath.zcr.pin;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.fastpath.zcr.pin.PinPlan.Reason;

/**
 * What the coordinator answers a RegionServer: what became of the files that it reported, and of
 * pinned files of its regions.
 *
 * @param obstacle why nothing can be pinned; empty if something can
 * @param limit bytes of memory for the cluster
 * @param needed bytes that the pool's directives ask for
 * @param files sorted by path
 */
record PinReply(String obstacle, long limit, long needed, List<State> files) {
  private static final byte VERSION = 1;
  private static final int MOST_FILES = 4 * HeatReport.MOST_FILES;
  private static final int MOST_CHARACTERS = 2_000;

  /**
   * One file.
   *
   * @param bytes of memory that it takes or would take
   * @param cachedBytes that DataNodes had locked when the pool was last listed
   * @param worth bytes read per byte of memory, decayed
   * @param pinned whether it is pinned
   * @param reason why it is wanted or not
   */
  record State(
      String path, long bytes, long cachedBytes, double worth, boolean pinned, Reason reason) {}

  PinReply {
    files =
        files.stream()
            .sorted(Comparator.comparing(State::pinned).reversed().thenComparing(State::path))
            .limit(MOST_FILES)
            .sorted(Comparator.comparing(State::path))
            .toList();
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(VERSION);
    out.writeUTF(obstacle.substring(0, Math.min(obstacle.length(), MOST_CHARACTERS)));
    out.writeLong(limit);
    out.writeLong(needed);
    out.writeInt(files.size());
    FrontCoding paths = new FrontCoding();
    for (State file : files) {
      paths.write(file.path, out);
      out.writeLong(file.bytes);
      out.writeLong(file.cachedBytes);
      out.writeFloat((float) file.worth);
      out.writeBoolean(file.pinned);
      out.writeByte(file.reason.ordinal());
    }
    return bytes.toByteArray();
  }

  /**
   * Reads the coordinator's answer.
   *
   * @throws IOException if it is of another version, or no answer
   */
  static PinReply of(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    byte version = in.readByte();
    if (version != VERSION) {
      throw new IOException("an answer of version " + version + ", known is " + VERSION);
    }
    String obstacle = in.readUTF();
    long limit = in.readLong();
    long needed = in.readLong();
    List<State> files = new ArrayList<>();
    FrontCoding paths = new FrontCoding();
    for (int i = FrontCoding.count(in, MOST_FILES); i > 0; i--) {
      String path = paths.read(in);
      long size = in.readLong();
      long cached = in.readLong();
      float worth = in.readFloat();
      boolean pinned = in.readBoolean();
      int reason = in.readUnsignedByte();
      if (reason >= Reason.values().length) {
        throw new IOException("an answer with an unknown reason for " + path);
      }
      files.add(new State(path, size, cached, worth, pinned, Reason.values()[reason]));
    }
    return new PinReply(obstacle, limit, needed, files);
  }
}
