package org.fastpath.zcr.pin;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Writes and reads paths, each as the length of what it shares with the one before, and the rest.
 * Paths of store files share their directories, so that a sorted list takes a third of its bytes.
 *
 * <p>Not thread-safe. A writer and its reader each need an instance of their own.
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
   * Reads a count that a peer wrote.
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
