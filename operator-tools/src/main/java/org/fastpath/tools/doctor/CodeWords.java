package org.fastpath.tools.doctor;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The strings in the classes of HBase and Hadoop that look like keys.
 *
 * <p>Many keys are in no default file. The code that reads a key contains its name, so a key that
 * no class contains does not exist. The jars of the class path are read when the first word is
 * asked for.
 */
final class CodeWords {
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;

  /** Bytes of a constant behind its tag, by tag; 0 for tags that do not exist. */
  private static final int[] LENGTHS = {
    0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2
  };

  private Set<String> words;

  /** Returns whether a class holds that string. */
  synchronized boolean holds(String word) {
    if (words == null) {
      words = new HashSet<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
        read(Path.of(entry));
      }
    }
    return words.contains(word);
  }

  private void read(InputStream in) throws IOException {
    try (DataInputStream data = new DataInputStream(new BufferedInputStream(in))) {
      strings(data).stream().filter(CodeWords::isKey).forEach(words::add);
    }
  }

  private void read(Path jar) {
    String name = jar.getFileName().toString();
    if (name.endsWith(".jar") && (name.startsWith("hbase-") || name.startsWith("hadoop-"))) {
      try (JarFile file = new JarFile(jar.toFile())) {
        for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
          JarEntry entry = all.nextElement();
          if (entry.getName().endsWith(".class")) {
            read(file.getInputStream(entry));
          }
        }
      } catch (IOException e) {
        // Java also skips a file that is no jar. Then fewer words are known.
      }
    }
  }

  /** Returns the strings in the constant pool of a class, by JVMS 4.4. */
  static List<String> strings(DataInputStream in) throws IOException {
    List<String> strings = new ArrayList<>();
    in.skipNBytes(8); // magic, version
    int count = in.readUnsignedShort();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      if (tag == UTF8) {
        strings.add(in.readUTF());
      } else {
        in.skipNBytes(LENGTHS[tag]);
        i += tag == LONG || tag == DOUBLE ? 1 : 0;
      }
    }
    return strings;
  }

  private static boolean isKey(String text) {
    return text.startsWith("hbase.") || text.startsWith("dfs.");
  }
}
