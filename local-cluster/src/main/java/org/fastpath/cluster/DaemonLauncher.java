package org.fastpath.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The main class of every process of a cluster. It ties the life of the process to its parent's,
 * prepares the daemon and calls the daemon's own main method.
 *
 * <p>The parent holds the other end of standard input and never writes to it. When the parent ends
 * in any way, the kernel closes the pipe, and this process halts at the end of file. A process
 * group, a parent-death signal or polling of the parent's pid would not suffice. A pipe also works
 * after {@code kill -9}, and with a reused pid.
 *
 * <p>Only this class is copied, so no other class of ours is on a daemon's classpath. It must refer
 * to other classes of this package only by name.
 */
public final class DaemonLauncher {
  /** The NameNode's directory, which is formatted if it is new. */
  static final String FORMAT = "fastpath.launcher.format";

  /** Installs {@link MemlockOverride}. */
  static final String MEMLOCK = "fastpath.launcher.memlock";

  /** Allows a domain socket below a world-writable directory such as /tmp. */
  static final String ANY_SOCKET_DIRECTORY = "fastpath.launcher.any-socket-directory";

  /** The exit code of a process that was killed with SIGKILL, as in a shell. */
  private static final int HALTED = 137;

  private DaemonLauncher() {}

  /** Runs the main class named first with the arguments that follow. */
  public static void main(String[] args) throws Exception {
    haltWithParent(System.in);
    prepare();
    Method main = Class.forName(args[0]).getMethod("main", String[].class);
    call(main, (Object) Arrays.copyOfRange(args, 1, args.length));
  }

  private static void haltWithParent(InputStream pipe) {
    Thread thread = new Thread(() -> readToEnd(pipe), "parent-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private static void readToEnd(InputStream pipe) {
    try {
      while (pipe.read() >= 0) {
        // The parent never sends anything; only the end counts.
      }
    } catch (IOException e) {
      // A broken pipe means the same as the end.
    }
    Runtime.getRuntime().halt(HALTED);
  }

  private static void prepare() throws Exception {
    String nameDirectory = System.getProperty(FORMAT);
    if (nameDirectory != null && !Files.exists(Path.of(nameDirectory, "current", "VERSION"))) {
      format();
    }
    if (Boolean.getBoolean(MEMLOCK)) {
      Method install =
          Class.forName("org.fastpath.cluster.MemlockOverride").getDeclaredMethod("install");
      install.setAccessible(true);
      call(install);
    }
    if (Boolean.getBoolean(ANY_SOCKET_DIRECTORY)) {
      Class<?> socket = Class.forName("org.apache.hadoop.net.unix.DomainSocket");
      call(socket.getMethod("disableBindPathValidation"));
    }
  }

  /**
   * Formats in this process, because a separate JVM would take two seconds of every first start.
   */
  private static void format() throws Exception {
    Class<?> configuration = Class.forName("org.apache.hadoop.conf.Configuration");
    Object conf =
        Class.forName("org.apache.hadoop.hdfs.HdfsConfiguration").getConstructor().newInstance();
    // Otherwise the formatter would register metrics that conflict with the NameNode's.
    configuration
        .getMethod("setBoolean", String.class, boolean.class)
        .invoke(conf, "dfs.namenode.enable.retrycache", false);
    Class<?> nameNode = Class.forName("org.apache.hadoop.hdfs.server.namenode.NameNode");
    call(nameNode.getMethod("format", configuration), conf);
  }

  private static void call(Method method, Object... arguments) throws Exception {
    try {
      method.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
