package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.fastpath.tiered.ConfDirectory;
import org.fastpath.tiered.regionserver.advise.AdviseCommand;

/** The command {@code bin/fastpath tiers}. It also runs with an operator's own HBase. */
public final class TiersCommand {
  private static final String USAGE =
      """
      usage: tiers plan [--conf DIR] [TABLE...]   what is where by rules, and what would change
             tiers advise [OPTION...]             settings that fit the volumes; --help has more

      plan: without a TABLE all that have rules are shown. DIR has core-site.xml, hdfs-site.xml and the
      hbase-site.xml of an HMaster, where the rules of the site are; without it they are those on
      the class path. Nothing is changed.\
      """;

  /** Longer than the pause between two reports of a RegionServer, 3 seconds by default. */
  private static final long READS_MILLIS = TimeUnit.SECONDS.toMillis(7);

  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;

  private final PrintStream out;

  TiersCommand(PrintStream out) {
    this.out = out;
  }

  /** Runs the command. The exit code is 0 on success, 1 after a failure, 2 after a usage error. */
  public static void main(String[] args) throws InterruptedException {
    System.exit(new TiersCommand(System.out).runOrExplain(List.of(args)));
  }

  private int runOrExplain(List<String> args) throws InterruptedException {
    try {
      return run(args);
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("tiers: " + e.getMessage());
      return FAILED;
    }
  }

  /** Runs the command. Returns the exit code. */
  int run(List<String> args) throws IOException, InterruptedException {
    String command = args.isEmpty() ? "" : args.get(0);
    return switch (command) {
      case "plan" -> plan(args.subList(1, args.size()));
      case "advise" -> new AdviseCommand(out).run(args.subList(1, args.size()));
      default -> usage();
    };
  }

  private int usage() {
    out.println(USAGE);
    return WRONG_USE;
  }

  private int plan(List<String> args) throws IOException, InterruptedException {
    boolean hasConf = args.size() > 1 && args.get(0).equals("--conf");
    List<String> names = hasConf ? args.subList(2, args.size()) : args;
    if (names.stream().anyMatch(name -> name.startsWith("-"))) {
      return usage();
    }
    Configuration conf = configuration(hasConf ? args.get(1) : "");
    List<TableName> tables = names.stream().map(TableName::valueOf).toList();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin();
        FileSystem fs = FileSystem.newInstance(conf)) {
      if (!(fs instanceof DistributedFileSystem hdfs)) {
        throw new IllegalArgumentException(
            FileSystem.FS_DEFAULT_NAME_KEY + " is " + fs.getUri() + ", allowed is hdfs:");
      }
      plan(admin, hdfs, conf, tables).lines().forEach(out::println);
    }
    return OK;
  }

  private static Configuration configuration(String directory) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    if (!directory.isEmpty()) {
      ConfDirectory.addTo(conf, directory, "core-site.xml", "hdfs-site.xml", "hbase-site.xml");
    }
    CommonFSUtils.setFsDefault(conf, CommonFSUtils.getRootDir(conf));
    return conf;
  }

  private static TierPlan plan(
      Admin admin, DistributedFileSystem fs, Configuration conf, List<TableName> chosen)
      throws IOException, InterruptedException {
    List<TableDescriptor> tables = admin.listTableDescriptors();
    Predicate<TableName> isChosen = table -> chosen.isEmpty() || chosen.contains(table);
    RegionReads reads = new RegionReads(READS_MILLIS);
    if (tables.stream()
        .filter(table -> isChosen.test(table.getTableName()))
        .anyMatch(table -> TableRules.of(conf, table).dependOnReads())) {
      reads.update(admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS)));
      Thread.sleep(READS_MILLIS);
      reads.update(admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS)));
    }
    TierPlan plan = new TierPlan();
    new TierSurvey(fs, conf, reads).run(tables, isChosen, TierSurvey.OPEN, plan::add);
    return plan;
  }
}
