package org.fastpath.bench.simulators.volumes;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Simulates an hour of a fleet. It is a separate command line, because its class path has the jar
 * of our policy. The stock worlds must not have that jar.
 */
@Command(
    name = "volume-simulation",
    description =
        "An hour of DataNodes with a disk that fails slowly: our policy, HDFS's, and an oracle. No cluster is needed.")
public final class VolumeSimulation extends Experiment {
  @Option(names = "--nodes", description = "DataNodes, divided among the kinds of faults.")
  private int nodes = 1000;

  @Option(names = "--disks", description = "Disks of a DataNode.")
  private int disks = 12;

  @Option(names = "--seeds", split = ",", description = "Seeds of the fleets; one round each.")
  private List<Long> seeds = List.of(1L);

  private final AtomicInteger simulated = new AtomicInteger();

  /** Runs the command line. */
  public static void main(String[] args) {
    System.exit(Experiment.execute(new VolumeSimulation(), args));
  }

  @Override
  protected String title() {
    return "Volume choice, simulated";
  }

  @Override
  protected String quick() {
    return "--nodes 60";
  }

  @Override
  protected void check() {
    atLeast("--nodes", FailSlowShape.values().length, nodes);
    atLeast("--disks", 2, disks);
  }

  @Override
  protected void run(Run run) {
    for (VolumeContenders policy : VolumeContenders.values()) {
      run.results().describe(policy.title(), policy.description());
    }
    run.results().candidate(VolumeContenders.OURS.title());
    for (long seed : seeds) {
      for (FailSlowShape shape : FailSlowShape.values()) {
        Fleet fleet = new Fleet(nodes / FailSlowShape.values().length, disks, seed);
        for (VolumeContenders policy : VolumeContenders.values()) {
          Fleet.Outcome outcome = fleet.run(policy, shape, () -> progress(run.console()));
          StringJoiner line =
              new StringJoiner("; ", shape.title() + ", " + policy.title() + ": ", "");
          outcome
              .figures()
              .forEach(
                  (key, value) -> {
                    String name = "volume-simulation." + key.name();
                    Map<String, String> params = Map.of("fault", shape.title());
                    run.round(name, params, policy.title(), key.unit(), value);
                    line.add(String.format(Locale.ROOT, "%s %.4g", key.name(), value));
                  });
          run.console().line(line.toString());
        }
      }
    }
  }

  private void progress(Console console) {
    int done = simulated.incrementAndGet();
    if (done % 100 == 0) {
      console.line(done + " node hours");
    }
  }
}
