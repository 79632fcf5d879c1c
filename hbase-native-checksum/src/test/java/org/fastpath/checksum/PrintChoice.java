package org.fastpath.checksum;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.hfile.ChecksumUtilAccess;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.apache.hadoop.util.NativeCrc32Access;

/** A program that prints the choice of the engine and verifies a block. */
public final class PrintChoice {
  private PrintChoice() {}

  public static void main(String[] args) throws Exception {
    boolean available = NativeCrc32Access.isAvailable();
    boolean block = ChecksumUtilAccess.validate(ByteBuff.wrap(ByteBuffer.wrap(block())), "file");
    String providers =
        Arrays.stream(CrcAlgorithm.values())
            .map(algorithm -> algorithm + "=" + ChecksumEngine.of(algorithm).provider())
            .collect(Collectors.joining(" "));
    System.out.println(providers + " available=" + available + " block=" + block);
  }

  private static byte[] block() throws Exception {
    byte[] block = new byte[1000 + 8];
    ByteBuffer fields = ByteBuffer.wrap(block);
    fields.put(ChecksumUtilAccess.CHECKSUM_TYPE_INDEX, ChecksumType.CRC32C.getCode());
    fields.putInt(ChecksumUtilAccess.BYTES_PER_CHECKSUM_INDEX, 512);
    fields.putInt(ChecksumUtilAccess.DATA_SIZE_INDEX, 1000);
    ChecksumUtilAccess.generate(block, 0, 1000, block, 1000, ChecksumType.CRC32C, 512);
    return block;
  }
}
