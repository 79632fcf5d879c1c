package org.fastpath.tools.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fastpath.tools.conf.ConfException;

/**
 * A new text for a file. Texts are decoded as ISO 8859-1, in which each byte is a character.
 *
 * @param before its current text, null if there is no file
 * @param after its new text, null to delete the file
 */
record FileChange(Path path, String before, String after) {
  /** Returns the text of a file, null if there is no file. */
  static String text(Path path) {
    if (!Files.exists(path)) {
      return null;
    }
    try {
      return Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new ConfException(path + " cannot be read: " + e.getMessage(), e);
    }
  }

  boolean isNone() {
    return before == null ? after == null : before.equals(after);
  }

  /** Returns the change as a unified diff of one hunk. */
  String diff() {
    return Diff.unified(path.toString(), before, after);
  }
}
