package org.fastpath.common.versions;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * A program that runs the named test classes and prints how many tests of each passed. It ends with
 * 1 if a test failed or gave up, or if no test of a class ran.
 */
public final class RunTests {
  private RunTests() {}

  public static void main(String[] classes) {
    boolean passed = true;
    for (String name : classes) {
      passed &= passes(name);
    }
    System.exit(passed ? 0 : 1);
  }

  private static boolean passes(String name) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(name)).build(), listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true));
    System.out.printf("%s: %d tests passed%n", name, summary.getTestsSucceededCount());
    return summary.getTotalFailureCount() == 0
        && summary.getTestsAbortedCount() == 0
        && summary.getTestsSucceededCount() > 0;
  }
}
