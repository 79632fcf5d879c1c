package org.fastpath.tools.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fastpath.tools.conf.Home;
import org.fastpath.tools.conf.Home.Product;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.jmx.Login;
import org.fastpath.tools.jmx.Ssl;
import org.fastpath.tools.jmx.WebClient;
import org.fastpath.tools.jmx.WebOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Finds mistakes in configurations and in running daemons. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    exitCodeOnExecutionException = Diagnosis.UNSEEN,
    description = {
      "Finds mistakes in configurations and in running daemons, and prints the remedy of each.",
      "Exit code: 0 nothing is wrong, 1 there are problems, 2 a file or daemon could not be "
          + "read or the command is wrong."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--hbase",
      paramLabel = "DIR",
      description = "An installation of HBase (default: HBASE_HOME).")
  private List<Path> hbase = new ArrayList<>();

  @Option(
      names = "--hadoop",
      paramLabel = "DIR",
      description = "An installation of Hadoop (default: HADOOP_HOME).")
  private List<Path> hadoop = new ArrayList<>();

  @Option(
      names = "--hbase-conf",
      paramLabel = "DIR",
      description =
          "A configuration directory of HBase; that of the installation if one of each is named.")
  private List<Path> hbaseConf = new ArrayList<>();

  @Option(
      names = "--hadoop-conf",
      paramLabel = "DIR",
      description =
          "A configuration directory of Hadoop; that of the installation if one of each is named.")
  private List<Path> hadoopConf = new ArrayList<>();

  @Option(
      names = "--cluster",
      description =
          "Asks the daemons of the cluster: those that the HMaster and the NameNodes of the"
              + " configuration list.")
  private boolean cluster;

  @Option(
      names = "--master",
      paramLabel = "[https://]HOST:PORT",
      description = "The web address of an HMaster; its live RegionServers are asked.")
  private List<String> masters = new ArrayList<>();

  @Option(
      names = "--namenode",
      paramLabel = "[https://]HOST:PORT",
      description = "The web address of a NameNode; its live DataNodes are asked.")
  private List<String> nameNodes = new ArrayList<>();

  @Parameters(
      paramLabel = "ADDRESS",
      arity = "0..*",
      description = "Web addresses of daemons to be asked: [ROLE=][https://]HOST:PORT.")
  private List<String> addresses = new ArrayList<>();

  @Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  @Option(names = "--strict", description = "Advice counts as a problem.")
  private boolean strict;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "Time in which one daemon must answer; ${DEFAULT-VALUE} by default.")
  private int timeout;

  @Mixin private WebOptions web;

  @Override
  public Integer call() throws Exception {
    if (timeout < 1) {
      throw new ParameterException(spec.commandLine(), "--timeout must be 1 or more.");
    }
    Login login = web.login();
    ConfReader conf = read();
    List<Path> directories = conf.directories().stream().map(ConfDirectory::directory).toList();
    try (Ssl ssl = web.ssl(directories)) {
      Duration time = Duration.ofSeconds(timeout);
      Rounds rounds = new Rounds(conf, new Survey(new WebClient(ssl), login, time), login, time);
      ask(rounds);
      return print(Diagnosis.of(rounds.evidence(Vocabulary.load())));
    }
  }

  private void ask(Rounds rounds) throws InterruptedException {
    rounds.ask(targets(addresses, null));
    rounds.ask(targets(masters, Role.MASTER));
    rounds.ask(targets(nameNodes, Role.NAMENODE));
    if (cluster) {
      rounds.cluster();
    }
  }

  private List<Target> targets(List<String> texts, Role role) {
    try {
      String prefix = role == null ? "" : role.label() + "=";
      return texts.stream().map(text -> Target.parse(prefix + text)).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int print(Diagnosis diagnosis) throws Exception {
    int exitCode = diagnosis.exitCode(strict);
    if (json) {
      JsonReport.print(diagnosis, exitCode, spec.commandLine().getOut());
    } else {
      TextReport.print(diagnosis, spec.commandLine().getOut());
    }
    return exitCode;
  }

  private ConfReader read() {
    if (hbase.isEmpty() && hadoop.isEmpty() && hbaseConf.isEmpty() && hadoopConf.isEmpty()) {
      byEnvironment();
    }
    ConfReader reader = new ConfReader();
    read(reader, Product.HBASE, hbase, hbaseConf);
    read(reader, Product.HADOOP, hadoop, hadoopConf);
    if (reader.directories().isEmpty() && reader.unreadable().isEmpty() && asksNobody()) {
      throw new ParameterException(
          spec.commandLine(),
          "Nothing to look at: name a directory by --hbase, --hadoop, --hbase-conf or"
              + " --hadoop-conf, or the address of a daemon.");
    }
    return reader;
  }

  /** One installation and one configuration directory belong together, as in install. */
  private static void read(ConfReader reader, Product product, List<Path> homes, List<Path> confs) {
    if (homes.size() == 1 && confs.size() == 1) {
      reader.home(Home.of(product, homes.get(0), confs.get(0)));
      return;
    }
    homes.forEach(directory -> reader.home(Home.of(product, directory, null)));
    confs.forEach(directory -> reader.directory(directory, product == Product.HBASE));
  }

  private boolean asksNobody() {
    return addresses.isEmpty() && masters.isEmpty() && nameNodes.isEmpty();
  }

  private void byEnvironment() {
    Map<String, List<Path>> variables = new LinkedHashMap<>();
    variables.put("HBASE_HOME", hbase);
    variables.put("HBASE_CONF_DIR", hbaseConf);
    variables.put("HADOOP_HOME", hadoop);
    variables.put("HADOOP_CONF_DIR", hadoopConf);
    variables.forEach(
        (variable, paths) -> {
          String value = System.getenv(variable);
          if (value != null && !value.isBlank()) {
            paths.add(Path.of(value));
          }
        });
  }
}
