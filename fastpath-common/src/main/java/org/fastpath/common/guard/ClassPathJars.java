package org.fastpath.common.guard;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Looks class files up in the directories of the jars of a class path, save those of our jars.
 *
 * <p>The JDK's application class loader takes ten times as long: it makes an address of each class
 * file and opens a connection to it. The process has the jars open, so that opening them again
 * reads nothing. The path is that of the property {@code java.class.path}. It is compared once with
 * the jars that the class loader really searches, in their order: a manifest can name more of them.
 * They are known by their own manifests; a jar that has none and is named by another one is not
 * seen. Jars stay open until they are closed or collected. Not thread-safe.
 */
final class ClassPathJars implements Closeable {
  /** Stands for a class file that is in a folder, or nowhere: its class loader knows more. */
  static final long UNKNOWN = -1;

  private static final String MANIFEST = "META-INF/MANIFEST.MF";
  private static final String FILE = "file:";

  private final List<File> path = new ArrayList<>();
  private final List<Entry> opened = new ArrayList<>();
  private int next;

  private static final class Entry {
    /** Null if the entry is a folder. */
    private ZipFile jar;

    private final File file;

    /** Whether the jar may hold class files for certain releases of Java. */
    private boolean mayBeVersioned = true;

    Entry(File file, ZipFile jar) {
      this.file = file;
      this.jar = jar;
    }

    ZipEntry find(String name) throws IOException {
      ZipEntry found = jar.getEntry(name);
      if (found != null && mayBeVersioned) {
        mayBeVersioned = false;
        JarFile versioned = new JarFile(file, false, ZipFile.OPEN_READ, JarFile.runtimeVersion());
        if (!versioned.isMultiRelease()) {
          versioned.close();
          return found;
        }
        jar.close();
        jar = versioned;
        return jar.getEntry(name);
      }
      return found;
    }
  }

  /** Takes a path as {@code java.class.path} has it. */
  ClassPathJars(String text) {
    Set<File> seen = new HashSet<>();
    int begin = 0;
    while (begin <= text.length()) {
      int end = text.indexOf(File.pathSeparatorChar, begin);
      end = end < 0 ? text.length() : end;
      File file = new File(text.substring(begin, end));
      if (seen.add(file)) {
        path.add(file);
      }
      begin = end + 1;
    }
  }

  /** Whether a class loader searches the entries of the path and no other, in their order. */
  boolean isSearchedBy(ClassLoader loader) {
    try {
      Enumeration<URL> manifests = loader.getResources(MANIFEST);
      int at = 0;
      while (manifests.hasMoreElements()) {
        File file = fileOf(manifests.nextElement().toString());
        while (at < path.size() && !isSame(path.get(at), file)) {
          at++; // It has no manifest, or is not there.
        }
        if (at++ >= path.size()) {
          return false;
        }
      }
      return true;
    } catch (IOException | RuntimeException e) {
      return false; // Such as an address that is no file's.
    }
  }

  /** Of {@code jar:file:/lib/x.jar!/META-INF/MANIFEST.MF} and {@code file:/conf/META-INF/...}. */
  private static File fileOf(String address) {
    int begin = address.indexOf(FILE);
    int end = address.length() - MANIFEST.length() - 1;
    String jar = address.substring(begin, address.charAt(end - 1) == '!' ? end - 1 : end);
    return jar.indexOf('%') < 0
        ? new File(jar.substring(FILE.length()))
        : new File(URI.create(jar));
  }

  /** The class loader follows links. */
  private static boolean isSame(File entry, File searched) throws IOException {
    return entry.equals(searched) || entry.getCanonicalFile().equals(searched);
  }

  /**
   * Returns the CRC of a class file, or {@link #UNKNOWN}.
   *
   * @param name the internal name of the class
   */
  long crc(String name) {
    String file = name.concat(".class");
    try {
      for (int at = 0; at < opened.size() || openNext(); at++) {
        Entry entry = opened.get(at);
        if (entry.jar == null) {
          if (new File(entry.file, file).exists()) {
            return UNKNOWN;
          }
          continue;
        }
        ZipEntry found = entry.find(file);
        if (found != null) {
          return found.getCrc();
        }
      }
    } catch (IOException | IllegalStateException e) {
      return UNKNOWN;
    }
    return UNKNOWN;
  }

  /** Opens the next jar or folder that is there and not ours; false if there is none. */
  private boolean openNext() throws IOException {
    while (next < path.size()) {
      File file = path.get(next++);
      if (file.isDirectory()) {
        if (!new File(file, ClassPathSource.MARKER).exists()) {
          return opened.add(new Entry(file, null));
        }
      } else if (openJar(file)) {
        return true;
      }
    }
    return false;
  }

  /** As the class loader does, skips what is not there or no jar. */
  private boolean openJar(File file) throws IOException {
    ZipFile jar;
    try {
      jar = new ZipFile(file);
    } catch (IOException e) {
      return false;
    }
    if (jar.getEntry(ClassPathSource.MARKER) != null) {
      jar.close();
      return false;
    }
    return opened.add(new Entry(file, jar));
  }

  @Override
  public void close() throws IOException {
    for (Entry entry : opened) {
      if (entry.jar != null) {
        entry.jar.close();
      }
    }
    opened.clear();
    next = path.size();
  }
}
