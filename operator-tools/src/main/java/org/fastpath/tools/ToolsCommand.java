package org.fastpath.tools;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
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
    subcommands = {InstallCommand.class, UninstallCommand.class, HelpCommand.class})
public final class ToolsCommand implements Runnable {
  private static final String HADOOP_CLASS =
      "org.apache.hadoop.security.authentication.client.ConnectionConfigurator";

  /** A supplier, because a class literal loads the class. */
  private static final Supplier<List<Class<?>>> CLIENTS =
      () -> List.of(DoctorCommand.class, CacheCommand.class, VolumesCommand.class);

  @Spec private CommandSpec spec;

  /** Runs the command line and exits with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /**
   * Returns the parser. A failed command prints one line and its causes. Commands that are clients
   * of a cluster exist only with Hadoop's classes, because picocli loads the types in their
   * signatures.
   */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new ToolsCommand());
    if (hadoopIsThere()) {
      CLIENTS.get().forEach(line::addSubcommand);
    }
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(ToolsCommand::explain);
  }

  private static boolean hadoopIsThere() {
    try {
      Class.forName(HADOOP_CLASS, false, ToolsCommand.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "A command is required.");
  }

  private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult args) {
    PrintWriter err = command.getErr();
    err.println("error: " + message(failure));
    causes(failure, err);
    for (Throwable more : failure.getSuppressed()) {
      err.println("  also: " + message(more));
      causes(more, err);
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  private static void causes(Throwable failure, PrintWriter err) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      err.println("  because: " + message(cause));
    }
  }

  private static String message(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
