package org.fastpath.common.versions;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A program that runs test classes and says in one line how many tests passed. */
public final class RunTests {
  /** Begins the line that says how many tests passed. */
  public static final String PASSED = "PASSED ";

  private RunTests() {}

  public static void main(String[] classes) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String name : classes) {
      request.selectors(selectClass(name));
    }
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request.build(), listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true));
    System.out.println(PASSED + summary.getTestsSucceededCount());
    System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
  }
}
