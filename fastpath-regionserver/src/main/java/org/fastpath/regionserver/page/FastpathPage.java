package org.fastpath.regionserver.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.zookeeper.MasterAddressTracker;

/**
 * The page {@code /fastpath}: the states of features and their main metrics. It changes nothing, so
 * it also works with a read-only interface. The users that may see {@code /jmx} may see it. It
 * loads no other file and runs no script.
 */
public final class FastpathPage extends HttpServlet {
  static final String PATH = "/fastpath";
  static final String HISTORY = "fastpath.history";

  private static final long serialVersionUID = 1;
  private static final String STYLE = style();

  /** Called by the web server. */
  public FastpathPage() {}

  /** Adds the page to a web interface that has not started. */
  public static void addTo(InfoServer server, History history) {
    server.setAttribute(HISTORY, history);
    server.addUnprivilegedServlet("fastpath", PATH, FastpathPage.class);
  }

  private static String style() {
    try (InputStream in = FastpathPage.class.getResourceAsStream("fastpath.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    History history = (History) getServletContext().getAttribute(HISTORY);
    response.setContentType("text/html; charset=utf-8");
    Object attribute = getServletContext().getAttribute(HRegionServer.REGIONSERVER);
    String name = "";
    String master = "";
    if (attribute instanceof HRegionServer server) {
      name = server.getServerName().toShortString();
      master = master(server, request.getScheme());
    }
    response.getWriter().write(render(history, name, master, System.currentTimeMillis()));
  }

  /** Returns the address of the active HMaster's web interface, empty if there is none. */
  private static String master(HRegionServer server, String scheme) {
    MasterAddressTracker tracker = server.getMasterAddressTracker();
    ServerName master = tracker == null ? null : tracker.getMasterAddress();
    return master == null || tracker.getMasterInfoPort() <= 0
        ? ""
        : scheme + "://" + master.getHostname() + ":" + tracker.getMasterInfoPort();
  }

  static String render(History history, String serverName, String master, long now) {
    Html html = new Html();
    html.markup("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    html.markup("<meta name=\"color-scheme\" content=\"light dark\">");
    html.markup("<title>Fast Path: ").text(serverName).markup("</title>");
    html.markup("<style>").markup(STYLE).markup("</style></head>\n<body>");
    writeMenu(html);
    html.markup("<main><h1>Fast Path <small>").text(serverName).markup("</small></h1>\n");
    Sections sections = new Sections(history.beans());
    sections.writeFeatures(html);
    writeHistory(html, history, now);
    sections.writeCache(html);
    html.markup("<div class=\"grid-2\"><section>");
    sections.writePins(html);
    html.markup("</section><section>");
    sections.writeWrites(html);
    html.markup("</section></div>");
    sections.writeTiers(html, master);
    writeCost(html, history.cost());
    return html.markup("</main></body></html>\n").toString();
  }

  private static void writeMenu(Html html) {
    html.markup(
        "<nav><a href=\"/rs-status\">Home</a><a href=\"/fastpath\" class=\"here\">Fast Path");
    html.markup("</a><a href=\"/jmx?qry=org.fastpath:*\">Features as JSON</a>");
    html.markup("<a href=\"/jmx\">JMX</a><a href=\"/conf\">Configuration</a></nav>\n");
  }

  private static void writeHistory(Html html, History history, long now) {
    List<Sample> samples = history.samples();
    html.markup("<h2>The last hour</h2>");
    if (samples.size() < 2) {
      html.markup("<p class=\"none\">Charts appear after a minute.</p>");
    } else {
      new Charts(samples, now).write(html);
    }
  }

  private static void writeCost(Html html, History.Cost cost) {
    if (cost.takenCount() > 0) {
      html.markup("<footer>A sample every %d s; one took ", History.PERIOD.toSeconds());
      html.markup("%.2f ms of CPU time on average, ", cost.cpuNanos() / 1e6 / cost.takenCount());
      html.markup("%.4f %% of one core.</footer>", cost.percentOfCore());
    }
  }
}
