package org.fastpath.regionserver.page;

import java.io.IOException;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Adds the page to the menu of HBase's own pages, while they are written. */
public final class MenuEntryFilter implements Filter {
  private static final String STATUS = "/rs-status";
  private static final String JSP = ".jsp";

  /** Called by the web server. */
  public MenuEntryFilter() {}

  @Override
  public void init(FilterConfig config) {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse stock
        && hasMenu(http.getServletPath())) {
      MenuResponse written = new MenuResponse(stock);
      try {
        chain.doFilter(request, written);
      } finally {
        written.finish();
      }
    } else {
      chain.doFilter(request, response);
    }
  }

  private static boolean hasMenu(String path) {
    return path != null && (path.equals(STATUS) || path.endsWith(JSP));
  }

  @Override
  public void destroy() {}
}
