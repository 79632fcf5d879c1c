package org.fastpath.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command line of the local cluster: {@code start}, {@code status}, {@code stop}.
 *
 * <p>{@code start} leaves a supervisor process behind that owns the cluster; {@code stop} ends it.
 * Exit codes: 0 for success, 1 if the cluster could not be started or does not run, 2 for a wrong
 * command line.
 */
@Command(
    name = "cluster",
    description = "Starts and stops a local HDFS and HBase cluster of real processes.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(start | status | stop)",
    subcommands = {
      ClusterCli.Start.class,
      ClusterCli.Status.class,
      ClusterCli.Stop.class,
      ClusterCli.Supervise.class
    })
public final class ClusterCli {
  private static final Duration STOP_LIMIT = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 200;

  private ClusterCli() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command with its subcommands, to run or to add to another command. */
  public static CommandLine commandLine() {
    return new CommandLine(new ClusterCli())
        .setExecutionExceptionHandler(
            (exception, command, parsed) -> {
              if (exception instanceof ClusterException
                  || exception instanceof IllegalArgumentException) {
                command.getErr().println(exception.getMessage());
                return CommandLine.ExitCode.SOFTWARE;
              }
              throw exception;
            });
  }

  /** The option of every command. */
  static final class Directory {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        defaultValue = "build/cluster",
        description = "Data, logs and configuration go here (default: ${DEFAULT-VALUE}).")
    private Path path;

    Path get() {
      return path.toAbsolutePath().normalize();
    }
  }

  /** The options that describe the cluster. */
  static final class Shape {
    @Option(
        names = "--datanodes",
        paramLabel = "N",
        defaultValue = "1",
        description = "DataNodes, 1 to 3 (default: ${DEFAULT-VALUE}); the replication too.")
    private int dataNodes;

    @Option(
        names = "--regionservers",
        paramLabel = "N",
        defaultValue = "1",
        description = "RegionServers, 1 to 3 (default: ${DEFAULT-VALUE}).")
    private int regionServers;

    @Option(
        names = "--with-jar",
        paramLabel = "ROLE=PATH",
        split = ",",
        description =
            "A jar in front of the classpath of zookeeper, namenode, datanode, master or"
                + " regionserver; may be repeated.")
    private List<String> jars = List.of();

    @Option(
        names = "--conf",
        paramLabel = "KEY=VALUE",
        description = "A configuration key for all daemons and clients; may be repeated.")
    private Map<String, String> conf = Map.of();

    @Option(
        names = "--heap",
        paramLabel = "ROLE=SIZE",
        split = ",",
        description = "The maximum heap of a role, such as regionserver=2g; may be repeated.")
    private Map<String, String> heaps = Map.of();

    @Option(
        names = "--stock-jars",
        paramLabel = "DIR",
        description =
            "Takes HBase's and Hadoop's jars from here, not from this command's classpath.")
    private Path stockJars;

    @Option(
        names = "--fastpath",
        paramLabel = "MODULES",
        description =
            "Our modules: all, or some of checksum,metrics,cache,reader,zcr,volumes,tiers. "
                + "Sizes are parts of the available memory.")
    private String fastpath;

    @Option(
        names = "--fastpath-jars",
        paramLabel = "DIR",
        description = "Takes our jars from here.")
    private Path fastpathJars;

    @Option(names = "--no-libhadoop", description = "Runs without Hadoop's native library.")
    private boolean noLibhadoop;

    @Option(names = "--short-circuit", description = "Allows reads past the DataNode.")
    private boolean shortCircuit;

    ClusterBuilder builder() {
      ClusterBuilder builder =
          LocalCluster.builder()
              .dataNodes(dataNodes)
              .regionServers(regionServers)
              .libhadoop(!noLibhadoop)
              .shortCircuit(shortCircuit);
      if (fastpath != null) {
        builder.fastpath(Modules.parse(fastpath)).fastpathJars(fastpathJars).setUpFastpath();
      }
      conf.forEach(builder::conf);
      heaps.forEach((role, size) -> builder.daemon(Role.of(role), o -> o.heap(size)));
      jarsByRole().forEach((role, paths) -> builder.daemon(role, o -> o.prependToClasspath(paths)));
      return stockJars == null ? builder : builder.jars(stockJars);
    }

    /** ROLE=PATH begins the list of a role; a PATH without one continues it. */
    private Map<Role, List<Path>> jarsByRole() {
      Map<Role, List<Path>> byRole = new LinkedHashMap<>();
      Role role = null;
      for (String word : jars) {
        int equals = word.indexOf('=');
        role = equals < 0 ? role : Role.of(word.substring(0, equals));
        Path jar = Path.of(word.substring(equals + 1)).toAbsolutePath();
        if (role == null || !jar.toFile().exists()) {
          throw new IllegalArgumentException(
              role == null ? "--with-jar " + word + ": no role" : "no such jar: " + jar);
        }
        byRole.computeIfAbsent(role, r -> new ArrayList<>()).add(jar);
      }
      return byRole;
    }
  }

  @Command(
      name = "start",
      description = "Starts the cluster and returns when it is ready for work.",
      mixinStandardHelpOptions = true)
  static final class Start implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private Directory directory;
    @Mixin private Shape shape;

    @Override
    public Integer call() throws IOException, InterruptedException {
      shape.builder();
      if (ClusterState.isHeld(directory.get())) {
        throw new ClusterException(
            "a cluster runs in " + directory.get() + " already: see status, or stop it first");
      }
      ClusterState.delete(directory.get());
      PrintWriter out = spec.commandLine().getOut();
      boolean ready = Supervisor.start(directory.get(), arguments(), out::println);
      Optional<ClusterState> state = ClusterState.read(directory.get());
      if (!ready || state.isEmpty()) {
        throw new ClusterException(
            "the cluster did not start; see " + Supervisor.log(directory.get()));
      }
      print(out, directory.get(), state.get());
      return CommandLine.ExitCode.OK;
    }

    /** Returns the words after "start", which the supervisor parses again. */
    private List<String> arguments() {
      List<String> words = spec.root().commandLine().getParseResult().originalArgs();
      return words.subList(words.indexOf(spec.name()) + 1, words.size());
    }

    private static void print(PrintWriter out, Path directory, ClusterState state) {
      printDaemons(out, state);
      out.println();
      out.println("HDFS        " + state.endpoint("fs.defaultFS"));
      out.println(
          "ZooKeeper   "
              + state.endpoint("hbase.zookeeper.quorum")
              + ":"
              + state.endpoint("hbase.zookeeper.property.clientPort"));
      out.println("client conf " + new ClusterLayout(directory).conf("client"));
    }
  }

  @Command(
      name = "status",
      description = "Shows every daemon's pid, port, state and log.",
      mixinStandardHelpOptions = true)
  static final class Status implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private Directory directory;

    @Override
    public Integer call() throws IOException {
      PrintWriter out = spec.commandLine().getOut();
      Optional<ClusterState> state = ClusterState.read(directory.get());
      boolean held = ClusterState.isHeld(directory.get());
      if (state.isEmpty()) {
        out.println((held ? "a cluster is starting in " : "no cluster runs in ") + directory.get());
        return CommandLine.ExitCode.SOFTWARE;
      }
      if (!held) {
        out.println(
            "the cluster in "
                + directory.get()
                + " is gone without having been stopped; see "
                + Supervisor.log(directory.get()));
        return CommandLine.ExitCode.SOFTWARE;
      }
      out.println("cluster in " + directory.get() + ", supervisor pid " + state.get().supervisor());
      boolean all = printDaemons(out, state.get());
      return all ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
  }

  @Command(
      name = "stop",
      description = "Stops the cluster in order; its data stay.",
      mixinStandardHelpOptions = true)
  static final class Stop implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private Directory directory;

    @Override
    public Integer call() throws IOException, InterruptedException {
      Optional<ClusterState> state = ClusterState.read(directory.get());
      if (!ClusterState.isHeld(directory.get())) {
        ClusterState.delete(directory.get());
        spec.commandLine().getOut().println("no cluster runs in " + directory.get());
        return CommandLine.ExitCode.OK;
      }
      if (state.isEmpty()) {
        throw new ClusterException(
            "the cluster in " + directory.get() + " is not owned by this command, or still starts");
      }
      ProcessHandle.of(state.get().supervisor()).ifPresent(ProcessHandle::destroy);
      awaitRelease(state.get());
      ClusterState.delete(directory.get());
      spec.commandLine().getOut().println("stopped the cluster in " + directory.get());
      return CommandLine.ExitCode.OK;
    }

    /** Waits until the lock on the directory is free, which the supervisor releases last. */
    private void awaitRelease(ClusterState state) throws IOException, InterruptedException {
      long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
      while (ClusterState.isHeld(directory.get())) {
        if (System.nanoTime() > deadline) {
          throw new ClusterException(
              "the cluster still runs after "
                  + STOP_LIMIT.toSeconds()
                  + " s; its supervisor is pid "
                  + state.supervisor()
                  + ", its log "
                  + Supervisor.log(directory.get()));
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  @Command(name = "supervise", description = "Owns the cluster of a start.", hidden = true)
  static final class Supervise implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private Directory directory;
    @Mixin private Shape shape;

    @Override
    public Integer call() throws IOException, InterruptedException {
      PrintWriter out = spec.commandLine().getOut();
      LocalCluster cluster =
          shape
              .builder()
              .directory(directory.get())
              .onProgress(out::println)
              .stopCleanlyOnExit()
              .start();
      ClusterState.of(cluster).write(directory.get());
      // Waits for a signal. The cluster stops while this JVM exits.
      new CountDownLatch(1).await();
      return CommandLine.ExitCode.OK;
    }
  }

  /** Prints a table. Returns whether all daemons are alive. */
  private static boolean printDaemons(PrintWriter out, ClusterState state) {
    String format = "%-16s %8s %-6s %6s %6s  %s%n";
    out.printf(Locale.ROOT, format, "daemon", "pid", "state", "port", "http", "log");
    boolean all = true;
    for (ClusterState.Entry entry : state.daemons()) {
      all &= entry.isAlive();
      out.printf(
          Locale.ROOT,
          format,
          entry.name(),
          entry.pid(),
          entry.isAlive() ? "alive" : "dead",
          entry.port(),
          entry.http(),
          entry.log());
    }
    out.flush();
    return all;
  }
}
