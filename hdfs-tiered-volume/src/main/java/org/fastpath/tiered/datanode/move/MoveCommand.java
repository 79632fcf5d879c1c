package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.fastpath.tiered.ConfDirectory;

/** The command {@code bin/fastpath move}. It also runs with an operator's own Hadoop. */
public final class MoveCommand {
  private static final String USAGE =
      """
      usage: move [--conf DIR] PATH...           requests moves, and moves until they are done
             move [--conf DIR] --queue PATH...   requests moves, and leaves them to another mover
             move [--conf DIR] --serve           moves what is requested until it is stopped
             move [--conf DIR] --status          prints the requests in the queue
             move [--conf DIR] --cancel PATH...  takes requests back

      A PATH is a file, or a directory for all that is below it. They go where their storage
      policies want them. DIR has the core-site.xml and hdfs-site.xml of a client; without it they
      are those on the class path.\
      """;

  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long MAX_PAUSE_MILLIS = 2_000;
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;

  private final PrintStream out;

  MoveCommand(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs the command. The exit code is 0 on success, 1 after a failed move, 2 after a usage error.
   */
  public static void main(String[] args) throws InterruptedException {
    System.exit(new MoveCommand(System.out).runOrExplain(List.of(args)));
  }

  private int runOrExplain(List<String> args) throws InterruptedException {
    try {
      return run(args);
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("move: " + e.getMessage());
      return FAILED;
    }
  }

  /** Runs the command. Returns the exit code. */
  int run(List<String> args) throws IOException, InterruptedException {
    if (args.size() > 1 && args.get(0).equals("--conf")) {
      return run(configuration(args.get(1)), args.subList(2, args.size()));
    }
    return run(new HdfsConfiguration(), args);
  }

  private static Configuration configuration(String directory) {
    Configuration conf = new HdfsConfiguration();
    ConfDirectory.addTo(conf, directory, "core-site.xml", "hdfs-site.xml");
    return conf;
  }

  private int run(Configuration conf, List<String> args) throws IOException, InterruptedException {
    String first = args.isEmpty() ? "" : args.get(0);
    boolean hasPaths = args.size() > 1;
    return switch (first) {
      case "--serve" -> hasPaths ? usage() : serve(conf);
      case "--status" -> hasPaths ? usage() : status(conf);
      case "--queue" -> hasPaths ? request(conf, tail(args), false) : usage();
      case "--cancel" -> hasPaths ? cancel(conf, tail(args)) : usage();
      default -> first.isEmpty() || first.startsWith("-") ? usage() : request(conf, args, true);
    };
  }

  private int usage() {
    out.println(USAGE);
    return WRONG_USE;
  }

  private static List<String> tail(List<String> args) {
    return args.subList(1, args.size());
  }

  private int request(Configuration conf, List<String> paths, boolean moves)
      throws IOException, InterruptedException {
    try (FileMover mover = FileMover.open(conf)) {
      List<MoveTicket> tickets = new ArrayList<>();
      for (String path : paths) {
        tickets.add(mover.submit(new Path(path)));
      }
      if (!moves) {
        return OK;
      }
      mover.start();
      return await(mover, tickets);
    }
  }

  private int await(FileMover mover, List<MoveTicket> tickets)
      throws IOException, InterruptedException {
    MoveStatus[] printed = new MoveStatus[tickets.size()];
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      List<MoveStatus> status = mover.status(tickets);
      for (int i = 0; i < printed.length; i++) {
        if (!status.get(i).equals(printed[i])) {
          printed[i] = status.get(i);
          pause = FIRST_PAUSE_MILLIS;
          out.println(printed[i]);
        }
      }
      if (Arrays.stream(printed).allMatch(MoveStatus::isEnd)) {
        boolean failed = Arrays.stream(printed).anyMatch(s -> s.state() == MoveState.FAILED);
        return failed ? FAILED : OK;
      }
      Thread.sleep(pause);
      pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
    }
  }

  private int serve(Configuration conf) throws IOException, InterruptedException {
    try (FileMover mover = FileMover.open(conf)) {
      mover.start();
      out.println("moving requested files; stop with Ctrl-C");
      Thread.currentThread().join();
    }
    return OK;
  }

  private int status(Configuration conf) throws IOException {
    try (FileMover mover = FileMover.open(conf)) {
      mover.status().forEach(out::println);
    }
    return OK;
  }

  private int cancel(Configuration conf, List<String> paths) throws IOException {
    try (FileMover mover = FileMover.open(conf)) {
      for (String path : paths) {
        out.println(mover.cancel(new Path(path)) + " cancelled  " + path);
      }
    }
    return OK;
  }
}
