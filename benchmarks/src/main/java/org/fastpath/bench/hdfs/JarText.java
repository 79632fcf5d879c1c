package org.fastpath.bench.hdfs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Text that people wrote and that is at hand: licenses, notices and the descriptions of
 * configuration keys in the jars of Hadoop, HBase and what they need, each once, about a megabyte,
 * repeated until the file is as long as is wanted.
 */
final class JarText implements HdfsContent {
  private static final Pattern NAMES =
      Pattern.compile("(.*/)?((LICENSE|NOTICE)[^/]*|[a-z]+-default\\.xml)");

  private final byte[] once;
  private final long bytes;

  /** Collects the text of all jars in a directory, in the order of their names. */
  JarText(Path directory, long bytes) throws IOException {
    this.once = collect(directory);
    this.bytes = bytes;
    if (once.length == 0) {
      throw new IOException("no jar in " + directory + " holds any text");
    }
  }

  private static byte[] collect(Path directory) throws IOException {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, "*.jar")) {
      stream.forEach(jars::add);
    }
    Collections.sort(jars);
    Set<ByteBuffer> seen = new HashSet<>();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (Path jar : jars) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        for (ZipEntry entry : Collections.list(zip.entries())) {
          if (NAMES.matcher(entry.getName()).matches()) {
            addNew(zip, entry, seen, text);
          }
        }
      }
    }
    return text.toByteArray();
  }

  /** Most jars have the same license. */
  private static void addNew(
      ZipFile zip, ZipEntry entry, Set<ByteBuffer> seen, ByteArrayOutputStream text)
      throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] content = in.readAllBytes();
      if (seen.add(ByteBuffer.wrap(content))) {
        text.write(content);
        text.write('\n');
      }
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void write(OutputStream out, Listener progress) throws IOException {
    for (long done = 0; done < bytes; done += once.length) {
      int length = (int) Math.min(once.length, bytes - done);
      out.write(once, 0, length);
      progress.bytes(done + length, bytes);
    }
  }
}
