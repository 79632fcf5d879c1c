package org.fastpath.tools.install;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows a plan, asks whether to carry it out, and does so. */
final class Confirmation {
  /** A change is rejected, or the operator did not confirm. */
  static final int REFUSED = 1;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--dry-run", description = "Show the changes, and change nothing.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  /** Returns the exit code. */
  int carryOut(Plan plan, List<String> refusals) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (!refusals.isEmpty()) {
      refusals.forEach(spec.commandLine().getErr()::println);
      spec.commandLine().getErr().println("Nothing was changed.");
      spec.commandLine().getErr().flush();
      return REFUSED;
    }
    plan.notes().forEach(note -> out.println("note: " + note));
    if (plan.isEmpty()) {
      out.println("Nothing to change.");
      return 0;
    }
    out.print(plan.describe());
    out.flush();
    if (dryRun) {
      return 0;
    }
    if (!yes && !agreed(out)) {
      out.println("Nothing was changed.");
      out.flush();
      return REFUSED;
    }
    new Applier().apply(plan);
    out.println("Done. Restart the daemons for it to take effect.");
    out.flush();
    return 0;
  }

  private static boolean agreed(PrintWriter out) throws IOException {
    out.print("Change these files? [y/N] ");
    out.flush();
    var input = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    String answer = input.readLine();
    return answer != null && answer.trim().toLowerCase(Locale.ROOT).matches("y|yes");
  }
}
