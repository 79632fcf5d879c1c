package org.fastpath.regionserver.page;

import java.io.IOException;
import java.io.PrintWriter;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/** A response whose text gets an entry of the menu. Bytes pass unchanged. Not thread-safe. */
final class MenuResponse extends HttpServletResponseWrapper {
  private MenuWriter menu;
  private PrintWriter writer;

  /** Set if the web server replaces this page by another one. */
  private boolean replaced;

  MenuResponse(HttpServletResponse response) {
    super(response);
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      menu = new MenuWriter(super.getWriter());
      writer = new PrintWriter(menu);
    }
    return writer;
  }

  /** Ignores the length, which changes. The web server computes it. */
  @Override
  public void setContentLength(int length) {}

  @Override
  public void setContentLengthLong(long length) {}

  @Override
  public void reset() {
    super.reset();
    forget();
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    forget();
  }

  @Override
  public void sendError(int status) throws IOException {
    replaced = true;
    super.sendError(status);
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    replaced = true;
    super.sendError(status, message);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    replaced = true;
    super.sendRedirect(location);
  }

  private void forget() {
    if (menu != null) {
      menu.forget();
    }
  }

  /** Writes the rest of this page, unless another page replaces it. */
  void finish() throws IOException {
    if (menu != null && !replaced) {
      menu.finish();
    }
  }
}
