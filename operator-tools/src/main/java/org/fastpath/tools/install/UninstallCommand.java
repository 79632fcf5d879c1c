package org.fastpath.tools.install;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.fastpath.tools.conf.Machine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Takes everything of ours out of the installations of this machine. */
@Command(
    name = "uninstall",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Takes all modules out of the HBase and Hadoop of this machine.",
      "Restores every file byte for byte, except for later changes by others. It shows all "
          + "changes first, and asks."
    })
public final class UninstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private HomeOptions homes;

  @Mixin private Confirmation confirmation;

  @Override
  public Integer call() throws IOException {
    if (homes.hbase().isEmpty() && homes.hadoop().isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--hbase DIR or --hadoop DIR is needed");
    }
    Planner planner = new Planner(homes.hbase(), homes.hadoop(), Machine.here());
    return confirmation.carryOut(planner.uninstall(), planner.refusals());
  }
}
