package org.fastpath.regionserver.page;

import java.io.IOException;
import java.io.PrintWriter;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/** A response whose text gets an entry of the menu. Bytes pass as they are. For one thread. */
final class MenuResponse extends HttpServletResponseWrapper {
  private MenuWriter menu;
  private PrintWriter writer;

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

  /** The length will be another one; the web server counts for itself. */
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
    forget();
    super.sendError(status);
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    forget();
    super.sendError(status, message);
  }

  private void forget() {
    if (menu != null) {
      menu.forget();
    }
  }

  /** Writes what is held back. */
  void finish() throws IOException {
    if (menu != null) {
      menu.finish();
    }
  }
}
