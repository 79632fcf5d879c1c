package org.fastpath.cluster;

import java.util.regex.Pattern;
import org.junit.internal.RealSystem;
import org.junit.internal.TextListener;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Filter;

/**
 * A program that runs some methods of a JUnit 4 class. Arguments: the class, and a pattern that the
 * names of the methods match, parameters included.
 */
public final class JUnit4Methods {
  static final String SKIPPED = "Skipped: ";

  private JUnit4Methods() {}

  /**
   * Ends the process with 0 if all tests passed, otherwise with 1. Tests that skip themselves for a
   * missing requirement count as passed and in a separate line.
   */
  public static void main(String[] args) throws ClassNotFoundException {
    JUnitCore core = new JUnitCore();
    core.addListener(new TextListener(new RealSystem()));
    Request request = Request.aClass(Class.forName(args[0]));
    Result result = core.run(request.filterWith(new Matching(Pattern.compile(args[1]))));
    System.out.println(SKIPPED + result.getAssumptionFailureCount());
    System.exit(result.wasSuccessful() ? 0 : 1);
  }

  /** A separate class, so that a JVM without JUnit 4 can load the outer one. */
  private static final class Matching extends Filter {
    private final Pattern wanted;

    Matching(Pattern wanted) {
      this.wanted = wanted;
    }

    @Override
    public boolean shouldRun(Description test) {
      return test.isTest()
          ? wanted.matcher(test.getMethodName()).matches()
          : test.getChildren().stream().anyMatch(this::shouldRun);
    }

    @Override
    public String describe() {
      return wanted.pattern();
    }
  }
}
