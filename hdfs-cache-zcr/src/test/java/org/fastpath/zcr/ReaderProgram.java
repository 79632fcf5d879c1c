package org.fastpath.zcr;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * A process that reads a file through our file system, twice for each given setting. For each read
 * it prints whether the bytes were right, the number of reads from mappings, and HDFS's failure.
 * Its log has the same destination.
 *
 * <p>Arguments: file, seed and length of its bytes, and settings, {@code key=value}.
 */
public final class ReaderProgram {
  private static final int READ_BYTES = 50_000;

  private ReaderProgram() {}

  /** Runs it. */
  public static void main(String[] args) {
    Path file = new Path(args[0]);
    KnownBytes bytes = new KnownBytes(Long.parseLong(args[1]), Integer.parseInt(args[2]));
    for (int i = 3; i < args.length; i++) {
      String[] setting = args[i].split("=", 2);
      System.out.println(args[i] + ": " + outcome(setting, file, bytes));
    }
  }

  private static String outcome(String[] setting, Path file, KnownBytes bytes) {
    try {
      long mapped = ZeroCopyMetrics.copiedReads() + ZeroCopyMetrics.zeroCopyReads();
      for (int i = 0; i < 2; i++) {
        try (FileSystem fileSystem = open(setting)) {
          readAll(fileSystem, file, bytes);
        }
      }
      mapped = ZeroCopyMetrics.copiedReads() + ZeroCopyMetrics.zeroCopyReads() - mapped;
      return "right bytes, " + mapped + " reads from mappings";
    } catch (IOException | RuntimeException e) {
      return e.toString();
    }
  }

  private static FileSystem open(String[] setting) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.hdfs.impl", ZeroCopyFileSystem.class.getName());
    // Clients of one context share the settings of the first one.
    conf.set("dfs.client.context", String.join("=", setting));
    conf.set(setting[0], setting[1]);
    return FileSystem.newInstance(conf);
  }

  private static void readAll(FileSystem fileSystem, Path file, KnownBytes bytes)
      throws IOException {
    try (FSDataInputStream in = fileSystem.open(file)) {
      ByteBuffer read = ByteBuffer.allocateDirect(READ_BYTES);
      for (int position = 0; position < bytes.length(); position += READ_BYTES) {
        int count = Math.min(READ_BYTES, bytes.length() - position);
        in.readFully(position, read.clear().limit(count));
        bytes.require(position, read.flip());
      }
      byte[] all = new byte[bytes.length()];
      in.readFully(all);
      bytes.require(0, all, 0, all.length);
    }
  }
}
