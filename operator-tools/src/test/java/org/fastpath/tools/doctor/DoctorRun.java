package org.fastpath.tools.doctor;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.tools.ToolsCommand;
import picocli.CommandLine;

/** The result of the doctor for a whole cluster: its exit code, and what it printed. */
record DoctorRun(int exitCode, String printed) {
  /** Runs the doctor with the configurations of a cluster, and with more options. */
  static DoctorRun of(LocalCluster cluster, String... more) {
    List<String> args = new ArrayList<>(List.of("doctor", "--cluster"));
    args.addAll(List.of("--hbase-conf", conf(cluster.daemon(Role.REGIONSERVER, 0))));
    args.addAll(List.of("--hadoop-conf", conf(cluster.daemon(Role.NAMENODE, 0))));
    args.addAll(List.of("--hadoop-conf", conf(cluster.daemon(Role.DATANODE, 0))));
    args.addAll(List.of(more));
    StringWriter out = new StringWriter();
    CommandLine line = ToolsCommand.commandLine().setOut(new PrintWriter(out));
    int exitCode = line.execute(args.toArray(String[]::new));
    return new DoctorRun(exitCode, out.toString());
  }

  private static String conf(Daemon daemon) {
    return daemon.confDir().toString();
  }
}
