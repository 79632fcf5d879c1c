package org.fastpath.tools;

import java.io.PrintWriter;
import org.fastpath.tools.cache.CacheCommand;
import org.fastpath.tools.doctor.DoctorCommand;
import org.fastpath.tools.install.InstallCommand;
import org.fastpath.tools.install.UninstallCommand;
import org.fastpath.tools.volumes.VolumesCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs one of the operator's commands. */
@Command(
    name = "fastpath",
    mixinStandardHelpOptions = true,
    versionProvider = ToolsVersion.class,
    description = "Installs, checks and inspects hbase-fastpath on a cluster.",
    subcommands = {
      InstallCommand.class,
      UninstallCommand.class,
      DoctorCommand.class,
      CacheCommand.class,
      VolumesCommand.class,
      HelpCommand.class
    })
public final class ToolsCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs the command line and exits with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The parser with all commands. A failed command prints one line and its causes. */
  public static CommandLine commandLine() {
    return new CommandLine(new ToolsCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(ToolsCommand::explain);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "A command is required.");
  }

  private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult args) {
    PrintWriter err = command.getErr();
    err.println("error: " + message(failure));
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      err.println("  because: " + message(cause));
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  private static String message(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
