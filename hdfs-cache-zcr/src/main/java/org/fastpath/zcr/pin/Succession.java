package org.fastpath.zcr.pin;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Asks for the output of a compaction to be pinned before it takes the place of its inputs.
 *
 * @param report of the server, with the output as a pending file
 * @param output its path
 * @param inputs their paths
 */
record Succession(HeatReport report, String output, Set<String> inputs) {
  private static final int MOST_INPUTS = 10_000;

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(output);
    out.writeInt(inputs.size());
    for (String input : inputs) {
      out.writeUTF(input);
    }
    out.write(report.toBytes());
    return bytes.toByteArray();
  }

  static Succession of(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    String output = in.readUTF();
    Set<String> inputs = new HashSet<>();
    for (int i = FrontCoding.count(in, MOST_INPUTS); i > 0; i--) {
      inputs.add(in.readUTF());
    }
    return new Succession(HeatReport.of(in.readAllBytes()), output, inputs);
  }
}
