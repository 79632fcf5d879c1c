package org.fastpath.zcr.pin;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Writes and reads paths, each as the length of the prefix shared with the previous path, and the
 * rest. Paths of store files share their directories, so a sorted list needs a third of the bytes.
 *
 * <p>Not thread-safe. A writer and its reader each need a separate instance.
 */
final class FrontCoding {
  private String last = "";

  void write(String path, DataOutputStream out) throws IOException {
    int shared = 0;
    int most = Math.min(Math.min(path.length(), last.length()), Short.MAX_VALUE);
    while (shared < most && path.charAt(shared) == last.charAt(shared)) {
      shared++;
    }
    out.writeShort(shared);
    out.writeUTF(path.substring(shared));
    last = path;
  }

  String read(DataInputStream in) throws IOException {
    int shared = in.readUnsignedShort();
    if (shared > last.length()) {
      throw new IOException("a path shares " + shared + " characters of " + last.length());
    }
    last = last.substring(0, shared) + in.readUTF();
    return last;
  }

  /**
   * Reads a peer's count.
   *
   * @throws IOException if it is not from 0 to {@code most}
   */
  static int count(DataInputStream in, int most) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most) {
      throw new IOException(count + " items in a message, allowed are " + most);
    }
    return count;
  }
}
