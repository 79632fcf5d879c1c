package org.fastpath.regionserver.page;

import java.io.IOException;
import java.io.Writer;

/**
 * Inserts an entry into the menu of an HTML page that passes through.
 *
 * <p>The entry looks like the other entries in every version of HBase. It is a copy of the item
 * that links to {@code /dump}, with another link and text. The head of the page is buffered until
 * that item is complete. A page without the item in its first characters passes unchanged. Not
 * thread-safe.
 */
final class MenuWriter extends Writer {
  /** HBase's menu ends within the first 4,000 characters of a page. */
  private static final int MAX_HELD = 32 << 10;

  private static final String MODEL = "href=\"/dump\"";
  private static final String ITEM = "<li";
  private static final String ITEM_END = "</li>";
  private static final String LINK = "href=\"" + FastpathPage.PATH + "\"";
  private static final String TEXT = "Fast Path";

  private final Writer out;

  /** The head of the page; null once it has passed. */
  private StringBuilder held = new StringBuilder();

  MenuWriter(Writer out) {
    this.out = out;
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    if (held == null) {
      out.write(text, offset, length);
      return;
    }
    held.append(text, offset, length);
    int model = held.indexOf(MODEL);
    int end = model < 0 ? -1 : held.indexOf(ITEM_END, model);
    if (end >= 0) {
      insert(model, end + ITEM_END.length());
      release();
    } else if (held.length() > MAX_HELD) {
      release();
    }
  }

  private void insert(int model, int end) {
    int begin = held.lastIndexOf(ITEM, model);
    if (begin >= 0) {
      held.insert(begin, copy(held.substring(begin, end)) + "\n");
    }
  }

  /** Returns an item with our link and text. */
  private static String copy(String item) {
    String linked = item.replace(MODEL, LINK);
    int textBegin = linked.indexOf('>', linked.indexOf(LINK)) + 1;
    int textEnd = linked.indexOf("</a>", textBegin);
    return textBegin == 0 || textEnd < 0
        ? ""
        : linked.substring(0, textBegin) + TEXT + linked.substring(textEnd);
  }

  private void release() throws IOException {
    out.append(held);
    held = null;
  }

  /** Drops the buffer, because another page replaces this one. */
  void forget() {
    if (held != null) {
      held.setLength(0);
    }
  }

  /** Writes the buffer at the end of the page. */
  void finish() throws IOException {
    if (held != null) {
      release();
    }
    out.flush();
  }

  /** Flushes the page. The buffer stays: it has only a few kilobytes. */
  @Override
  public void flush() throws IOException {
    if (held == null) {
      out.flush();
    }
  }

  @Override
  public void close() throws IOException {
    finish();
    out.close();
  }
}
