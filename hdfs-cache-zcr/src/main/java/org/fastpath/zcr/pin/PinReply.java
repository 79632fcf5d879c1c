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
 * The coordinator's answer to a RegionServer: the state of the reported files and of pinned files
 * of its regions.
 *
 * @param blockedReason why nothing can be pinned; empty if pins are possible
 * @param limit bytes of memory for the cluster
 * @param needed bytes that the pool's directives need
 * @param files sorted by path
 */
record PinReply(String blockedReason, long limit, long needed, List<State> files) {
  private static final byte VERSION = 1;
  private static final int MAX_FILES = 4 * HeatReport.MAX_FILES;
  private static final int MAX_CHARACTERS = 2_000;

  /**
   * The state of one file.
   *
   * @param bytes of memory that it takes or would take
   * @param cachedBytes locked by DataNodes at the last listing of the pool
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
            .limit(MAX_FILES)
            .sorted(Comparator.comparing(State::path))
            .toList();
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(VERSION);
    out.writeUTF(blockedReason.substring(0, Math.min(blockedReason.length(), MAX_CHARACTERS)));
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
   * @throws IOException if it has another version or is no answer
   */
  static PinReply of(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    byte version = in.readByte();
    if (version != VERSION) {
      throw new IOException("an answer of version " + version + ", known is " + VERSION);
    }
    String blockedReason = in.readUTF();
    long limit = in.readLong();
    long needed = in.readLong();
    List<State> files = new ArrayList<>();
    FrontCoding paths = new FrontCoding();
    for (int i = FrontCoding.count(in, MAX_FILES); i > 0; i--) {
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
    return new PinReply(blockedReason, limit, needed, files);
  }
}
