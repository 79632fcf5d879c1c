package org.fastpath.tools.install;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.fastpath.tools.conf.Home;
import org.fastpath.tools.conf.Machine;
import org.fastpath.tools.conf.MarkedBlock;
import org.fastpath.tools.conf.Role;

/** Plans an installation on one machine, or its removal. Writes nothing. */
final class Planner {
  private final Optional<Home> hbase;
  private final Optional<Home> hadoop;
  private final Machine machine;
  private final Refusals refusals = new Refusals();
  private final Plan plan = new Plan();

  Planner(Optional<Home> hbase, Optional<Home> hadoop, Machine machine) {
    this.hbase = hbase;
    this.hadoop = hadoop;
    this.machine = machine;
  }

  /** Plans the installation for some roles. */
  Plan install(List<RoleSetup> setups, JarSource source) {
    hbase.ifPresent(home -> install(home, setups, source));
    hadoop.ifPresent(home -> install(home, setups, source));
    requireWritable();
    return plan;
  }

  private void install(Home home, List<RoleSetup> setups, JarSource source) {
    List<RoleSetup> here = setups.stream().filter(setup -> isOf(home, setup.role())).toList();
    if (here.isEmpty()) {
      return;
    }
    new Versions(source.all()).require(home, refusals);
    Memory memory = new Memory(machine, refusals);
    refusals.collect(
        () -> new HomePlanner(home, hadoop, memory, refusals, plan).plan(here, source));
  }

  private static boolean isOf(Home home, Role role) {
    return role == Role.CLIENT || role.isHBase() == (home.product() == Home.Product.HBASE);
  }

  /** Plans the removal of all our files and lines. */
  Plan uninstall() {
    for (Home home : List.of(hbase, hadoop).stream().flatMap(Optional::stream).toList()) {
      refusals.collect(() -> uninstall(home));
    }
    requireWritable();
    return plan;
  }

  /** Plans site files first: while they name our classes, the class path must have them. */
  private void uninstall(Home home) {
    for (String name : HomePlanner.writtenBy(home.product())) {
      takeOut(home.site(name), Outside.XML);
    }
    takeOut(home.envFile(), Outside.SHELL);
    leftovers(home).forEach(plan::remove);
    HomePlanner.ownJars(home).forEach(plan::remove);
  }

  private void takeOut(Path file, MarkedBlock block) {
    String text = FileChange.text(file);
    if (text != null) {
      plan.change(new FileChange(file, text, Outside.about(file, () -> block.without(text))));
    }
  }

  /** Returns temporary files that an interrupted run has left. */
  private static List<Path> leftovers(Home home) {
    List<Path> written = new ArrayList<>(List.of(home.envFile()));
    HomePlanner.writtenBy(home.product()).forEach(name -> written.add(home.site(name)));
    List<Path> left = new ArrayList<>();
    written.forEach(file -> left.add(Applier.temporary(Applier.real(file))));
    left.addAll(Applier.temporaries(HomePlanner.jarDirectory(home)));
    left.removeIf(file -> !Files.exists(file));
    return left;
  }

  /** The reasons why the plan must not be carried out. */
  List<String> refusals() {
    return refusals.lines();
  }

  private void requireWritable() {
    for (FileChange change : plan.changes()) {
      requireWritable(change.path());
    }
    plan.copies().stream()
        .map(copy -> copy.to().getParent())
        .distinct()
        .forEach(directory -> requireWritable(existing(directory)));
    plan.removals().stream().map(Path::getParent).distinct().forEach(this::requireWritable);
  }

  private static Path existing(Path directory) {
    return Files.exists(directory) ? directory : directory.getParent();
  }

  /** Requires a writable file and directory, because a file is replaced. */
  private void requireWritable(Path path) {
    if (Files.exists(path) && isReadOnly(path)) {
      refusals.add(path + " is read-only: run this as its owner, or make it writable.");
    } else if (Files.isRegularFile(path) && !keepsOwner(path)) {
      refusals.add(
          String.format(
              "%s belongs to %s, and this user cannot leave it to them: run this as %s or as root.",
              path, Applier.owner(path), Applier.owner(path)));
    } else if (!Files.isDirectory(path) && isReadOnly(Applier.real(path).getParent())) {
      refusals.add(path + " is in a read-only directory: make that writable.");
    }
  }

  private static boolean keepsOwner(Path file) {
    String user = System.getProperty("user.name");
    return user.equals("root") || user.equals(Applier.owner(file));
  }

  /**
   * Returns whether a file is read-only, also for root: a file without write permission is not
   * changed.
   */
  private static boolean isReadOnly(Path path) {
    Set<PosixFilePermission> writers =
        EnumSet.of(
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_WRITE);
    writers.retainAll(Applier.permissions(path));
    return writers.isEmpty() || !Files.isWritable(path);
  }
}
