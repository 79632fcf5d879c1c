package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.reader.AddressedBlock;

/**
 * An {@link OffHeapHFileScanner} of encoded blocks. Its cursor also reads blocks in several parts,
 * because HBase has no walk for them that it could fall back to.
 *
 * <p>Not thread-safe.
 */
final class EncodedOffHeapHFileScanner extends OffHeapHFileScanner {
  private final DataBlockEncoder encoder;

  EncodedOffHeapHFileScanner(
      HFile.Reader reader,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction,
      DataBlockEncoding encoding,
      OffHeapHFile file) {
    super(reader, cacheBlocks, pread, isCompaction, encoding, file);
    encoder = encoding.getEncoder();
  }

  @Override
  void verify(HFileBlock block) throws CorruptHFileException {
    if (block.getBlockType() != BlockType.ENCODED_DATA) {
      throw new IllegalStateException(
          "Not an encoded data block: " + block.getBlockType() + ", path=" + reader.getPath());
    }
    // For a block in one piece of a cache's memory, the cursor checks the encoding.
    if (!(block instanceof AddressedBlock)) {
      verifyEncoding(block);
    }
  }

  private void verifyEncoding(HFileBlock block) throws CorruptHFileException {
    short id = block.getDataBlockEncodingId();
    if (!DataBlockEncoding.isCorrectEncoder(encoder, id)) {
      throw new CorruptHFileException(
          "Block is encoded by "
              + DataBlockEncoding.getNameFromId(id)
              + " instead of "
              + encoder
              + ". Block offset: "
              + block.getOffset()
              + ", path="
              + reader.getPath());
    }
  }
}
