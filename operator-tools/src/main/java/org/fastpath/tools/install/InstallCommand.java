package org.fastpath.tools.install;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import org.fastpath.tools.conf.Home;
import org.fastpath.tools.conf.Machine;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.conf.Sizes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Puts modules into the installations of this machine. */
@Command(
    name = "install",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Puts modules into the HBase and Hadoop of this machine.",
      "It copies jars into DIR/fastpath and keeps its lines between two markers in the env "
          + "files and"
          + " site files. It shows all changes first, and asks. Run it again after a change of"
          + " these files; run uninstall to take everything out."
    })
public final class InstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private HomeOptions homes;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      split = ",",
      required = true,
      description = "Daemons of this machine: regionserver, master, datanode, namenode, client.")
  private List<Role> roles;

  @Option(
      names = "--modules",
      paramLabel = "MODULES",
      description =
          "all, or some of checksum,metrics,cache,reader,zcr,volumes,tiers (default: those of the"
              + " last run for the role, or all).")
  private String modules;

  @Option(
      names = "--cache-size",
      paramLabel = "SIZE",
      description =
          "Off-heap block cache of a RegionServer, such as 16g (default: a quarter of the memory,"
              + " or 70%% of the direct memory that is set).")
  private String cacheSize;

  @Option(
      names = "--locked-memory",
      paramLabel = "SIZE",
      description = "Memory that a DataNode may lock for cached replicas (default: as it is set).")
  private String lockedMemory;

  @Option(
      names = "--pin-limit",
      paramLabel = "SIZE",
      description =
          "Memory of all DataNodes that RegionServers may fill with store files (default: the limit"
              + " of the cache pool).")
  private String pinLimit;

  @Option(
      names = "--domain-socket",
      paramLabel = "PATH",
      description = "Socket of short-circuit reads (default: as it is set).")
  private String domainSocket;

  @Mixin private Confirmation confirmation;

  private final Machine machine;

  /** Makes the command for this machine. */
  public InstallCommand() {
    this(Machine.here());
  }

  InstallCommand(Machine machine) {
    this.machine = machine;
  }

  @Override
  public Integer call() throws IOException {
    Optional<Home> hbase = homes.hbase();
    Optional<Home> hadoop = homes.hadoop();
    roles.forEach(role -> requireHome(role, hbase.isPresent(), hadoop.isPresent()));
    List<RoleSetup> setups = roles.stream().distinct().map(this::setup).toList();
    Planner planner = new Planner(hbase, hadoop, machine);
    Plan plan = planner.install(setups, JarSource.ofThisArchive());
    return confirmation.carryOut(plan, planner.refusals());
  }

  private void requireHome(Role role, boolean hbase, boolean hadoop) {
    boolean given = role == Role.CLIENT ? hbase || hadoop : role.isHBase() ? hbase : hadoop;
    if (!given) {
      String option = role.isHBase() ? "--hbase DIR" : "--hadoop DIR";
      throw refusal("--role " + role.label() + " needs " + option);
    }
  }

  /** Returns the choice for a role. Without a list of modules it has none. */
  private RoleSetup setup(Role role) {
    return new RoleSetup(
        role,
        chosen(),
        role == Role.REGIONSERVER ? size("--cache-size", cacheSize) : OptionalLong.empty(),
        role == Role.DATANODE ? size("--locked-memory", lockedMemory) : OptionalLong.empty(),
        role.isHBase() ? size("--pin-limit", pinLimit) : OptionalLong.empty(),
        Optional.ofNullable(domainSocket));
  }

  private Set<Module> chosen() {
    try {
      return modules == null ? Set.of() : Module.parse(modules);
    } catch (IllegalArgumentException e) {
      throw refusal("--modules is " + modules + ": " + e.getMessage());
    }
  }

  private OptionalLong size(String option, String text) {
    OptionalLong bytes = text == null ? OptionalLong.empty() : Sizes.parse(text);
    if (text != null && (bytes.isEmpty() || bytes.getAsLong() <= 0)) {
      throw refusal(option + " is " + text + ": a size such as 512m or 16g is needed");
    }
    return bytes;
  }

  private ParameterException refusal(String line) {
    return new ParameterException(spec.commandLine(), line);
  }
}
