package org.fastpath.zcr.pin;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * The request to pin the output of a compaction before it replaces its inputs.
 *
 * @param report of the server, with the output as a pending file
 * @param output path of the output
 * @param inputs paths of the inputs
 */
record OutputPinRequest(HeatReport report, String output, Set<String> inputs) {
  private static final int MAX_INPUTS = 10_000;

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

  static OutputPinRequest of(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    String output = in.readUTF();
    Set<String> inputs = new HashSet<>();
    for (int i = FrontCoding.count(in, MAX_INPUTS); i > 0; i--) {
      inputs.add(in.readUTF());
    }
    return new OutputPinRequest(HeatReport.of(in.readAllBytes()), output, inputs);
  }
}
