package org.fastpath.tiered.regionserver;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.datanode.move.Placement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the complete files of tables with rules, in stores and in the archive, and says of each
 * what the rules want. The keeper of tiers and the command that shows a plan use the same one.
 *
 * <p>It costs the NameNode a listing for each table with rules, and one with locations for each
 * directory of files that its {@link Gate} lets it enter; a table without rules costs nothing. What
 * is deleted or renamed meanwhile is skipped: the next survey finds it where it is then.
 *
 * <p>References and links are no store files: they have no data of their own. Changes nothing. For
 * one thread.
 */
final class TierSurvey {
  private static final Logger LOG = LoggerFactory.getLogger(TierSurvey.class);

  /** What it costs the NameNode to say which policies there are. */
  private static final int PLACEMENT_CALLS = 2;

  /** Gets the files one by one, on the thread of the survey. */
  @FunctionalInterface
  interface Visitor {
    void visit(RestingFile file) throws IOException;
  }

  /** Says which directories are listed. */
  interface Gate {
    /**
     * Whether a directory is listed now.
     *
     * @param inputs what is known of it without a listing
     */
    boolean enters(Place directory, Inputs inputs);

    /**
     * It was listed.
     *
     * @param nextMillis when a rule wants something else of one of its files by age alone
     */
    void left(Place directory, Inputs inputs, long nextMillis);
  }

  /** Lists everything. */
  static final Gate OPEN =
      new Gate() {
        @Override
        public boolean enters(Place directory, Inputs inputs) {
          return true;
        }

        @Override
        public void left(Place directory, Inputs inputs, long nextMillis) {
          // Nothing is remembered.
        }
      };

  /**
   * A directory that has files, or directories of files in the archive.
   *
   * @param region the encoded name
   * @param family empty for a region in the archive
   */
  record Place(TableName table, boolean isArchived, String region, String family) {}

  /**
   * What a survey knows of a directory without a listing. If it is the same as before, so are the
   * files, unless somebody else than HBase has changed them.
   *
   * @param table whose files are there
   * @param isLive whether a RegionServer reports of the region; if not, files may change unnoticed
   * @param fingerprint of the region's last report, of how often it is read and of the rules
   */
  record Inputs(TableName table, boolean isLive, long fingerprint) {
    /** The same of a directory into which files come some time after the report that tells it. */
    Inputs unnoticed() {
      return new Inputs(table, false, fingerprint);
    }
  }

  /** What is wanted of a file. */
  @FunctionalInterface
  private interface Wanting {
    PlacementDecision of(Seen file) throws IOException;
  }

  /** A directory with files of one family. */
  private record Store(TableName table, String family, Path directory) {}

  private final DistributedFileSystem fs;
  private final Configuration conf;
  private final Path root;
  private final Path archive;
  private final ArchivedTables archived;
  private final StoreFileHistories histories;
  private final RegionReads reads;
  private final Set<TableName> misconfigured = new HashSet<>();

  /** Tables with erasure-coded files that are left alone. */
  private final Set<TableName> coded = new HashSet<>();

  private final CallBudget budget;
  private final LongSupplier clock;

  private Placement placement;
  private long nowMillis;
  private long nextMillis;
  private Gate gate;
  private Visitor visitor;

  /**
   * A survey of the file system that HBase is on, as fast as it can be.
   *
   * @param conf with the rules of the site
   */
  TierSurvey(DistributedFileSystem fs, Configuration conf, RegionReads reads) throws IOException {
    this(
        fs,
        conf,
        reads,
        CallBudget.unlimited(),
        file -> StoreFileHistory.read(fs, file, conf),
        System::currentTimeMillis);
  }

  /**
   * The same within a budget.
   *
   * @param histories reads what store files say of themselves
   * @param millisClock the time by which files are old
   */
  TierSurvey(
      DistributedFileSystem fs,
      Configuration conf,
      RegionReads reads,
      CallBudget budget,
      StoreFileHistories.Reader histories,
      LongSupplier millisClock)
      throws IOException {
    this.budget = budget;
    clock = millisClock;
    this.fs = fs;
    this.conf = conf;
    this.reads = reads;
    root = CommonFSUtils.getRootDir(conf);
    archive = new Path(HFileArchiveUtil.getArchivePath(conf), HConstants.BASE_NAMESPACE_DIR);
    archived = new ArchivedTables(fs);
    this.histories = new StoreFileHistories(histories, budget);
  }

  /**
   * Lists what the gate lets in.
   *
   * @param tables that there are
   * @param chosen which of them, and of those that were deleted, are surveyed
   */
  void run(
      Collection<TableDescriptor> tables, Predicate<TableName> chosen, Gate gate, Visitor visitor)
      throws IOException {
    this.visitor = visitor;
    this.gate = gate;
    budget.take(PLACEMENT_CALLS);
    placement = Placement.of(fs);
    nowMillis = clock.getAsLong();
    List<TableName> names = tables.stream().map(TableDescriptor::getTableName).toList();
    misconfigured.retainAll(names);
    coded.retainAll(names);
    Map<TableName, Optional<TableRules>> present = new HashMap<>();
    for (TableDescriptor table : tables) {
      TableName name = table.getTableName();
      if (isLookedAt(name, chosen)) {
        Optional<TableRules> rules = rules(table);
        present.put(name, rules);
        if (rules.isPresent() && rules.get().areAboutStores()) {
          lookAtStores(name, rules.get());
        }
      }
    }
    lookAtArchive(present, chosen);
  }

  private static boolean isLookedAt(TableName table, Predicate<TableName> chosen) {
    return !table.isSystemTable() && chosen.test(table);
  }

  /** How many tables have rules that are wrong; their files are not looked at. */
  int misconfigured() {
    return misconfigured.size();
  }

  /** All files were listed since the last time that this was said, or soon after it. */
  void beginGeneration() {
    histories.beginGeneration();
  }

  private Optional<TableRules> rules(TableDescriptor table) {
    try {
      TableRules rules = TableRules.of(conf, table);
      misconfigured.remove(table.getTableName());
      return Optional.of(rules);
    } catch (InvalidValueException e) {
      if (misconfigured.add(table.getTableName())) {
        LOG.error("Files of {} stay where they are: {}", table.getTableName(), e.getMessage());
      }
      return Optional.empty();
    }
  }

  private void lookAtStores(TableName table, TableRules rules) throws IOException {
    Map<String, StoreRules> families = new HashMap<>(rules.families());
    families.values().removeIf(family -> !family.areAboutStores());
    Path tableDirectory = CommonFSUtils.getTableDir(root, table);
    for (String region : directories(tableDirectory)) {
      OptionalDouble perSecond = reads.perSecond(region);
      for (Map.Entry<String, StoreRules> family : families.entrySet()) {
        StoreRules own = family.getValue();
        enter(
            new Place(table, false, region, family.getKey()),
            inputs(table, region, own.fingerprint(perSecond)),
            () ->
                list(
                    new Store(
                        table,
                        family.getKey(),
                        new Path(new Path(tableDirectory, region), family.getKey())),
                    perSecond,
                    file -> decide(own, file)));
      }
    }
    families.keySet().retainAll(rules.mobFamilies());
    Path mob = MobUtils.getMobRegionPath(root, table);
    for (Map.Entry<String, StoreRules> family : families.entrySet()) {
      StoreRules own = family.getValue();
      enter(
          new Place(table, false, mob.getName(), family.getKey()),
          inputs(table, mob.getName(), own.fingerprint(OptionalDouble.empty())),
          () ->
              list(
                  new Store(
                      table, family.getKey(), MobUtils.getMobFamilyPath(mob, family.getKey())),
                  OptionalDouble.empty(),
                  file -> decideOfMob(own, file)));
    }
  }

  private PlacementDecision decide(StoreRules rules, Seen file) throws IOException {
    PlacementDecision decision = rules.of(file, nowMillis);
    remind(rules.coldAt(file));
    return decision;
  }

  private PlacementDecision decideOfMob(StoreRules rules, Seen file) throws IOException {
    PlacementDecision decision = rules.ofMob(file, nowMillis);
    remind(rules.coldAt(file));
    return decision;
  }

  /** Files of that directory are to be judged again at that time. */
  private void remind(long millis) {
    if (millis > nowMillis) {
      nextMillis = Math.min(nextMillis, millis);
    }
  }

  private Inputs inputs(TableName table, String region, long rules) {
    OptionalLong report = reads.fingerprint(region);
    return new Inputs(table, report.isPresent(), 31 * report.orElse(0) + rules);
  }

  private void lookAtArchive(
      Map<TableName, Optional<TableRules>> present, Predicate<TableName> chosen)
      throws IOException {
    for (String namespace : directories(archive)) {
      Path tables = new Path(archive, namespace);
      for (String name : directories(tables)) {
        TableName table = TableName.valueOf(namespace, name);
        if (isLookedAt(table, chosen)) {
          lookAtArchive(table, new Path(tables, name), present.get(table));
        }
      }
    }
  }

  private void lookAtArchive(TableName table, Path directory, Optional<TableRules> present)
      throws IOException {
    if (present == null) {
      lookAtArchive(table, directory, deleted(directory), 0);
    } else if (present.isPresent() && present.get().areAboutArchive()) {
      TableRules rules = present.get();
      lookAtArchive(table, directory, rules::archive, rules.archive().hashCode());
    }
  }

  /** The rules that a table had before it was deleted, by family; those of the site if unknown. */
  private Function<String, Optional<ArchiveRule>> deleted(Path directory) throws IOException {
    Optional<Map<String, ArchiveRule>> kept = Optional.empty();
    try {
      budget.take(1);
      kept = archived.recall(directory);
    } catch (FileNotFoundException e) {
      // Its last file is gone.
    }
    Optional<ArchiveRule> site = AtRestRules.of(conf).archive();
    return kept.<Function<String, Optional<ArchiveRule>>>map(
            known -> family -> Optional.ofNullable(known.get(family)))
        .orElse(family -> site);
  }

  private void lookAtArchive(
      TableName table,
      Path directory,
      Function<String, Optional<ArchiveRule>> rules,
      long rulesFingerprint)
      throws IOException {
    for (String region : directories(directory)) {
      enter(
          new Place(table, true, region, ""),
          inputs(table, region, rulesFingerprint).unnoticed(),
          () -> listArchived(table, new Path(directory, region), rules));
    }
  }

  private void listArchived(
      TableName table, Path region, Function<String, Optional<ArchiveRule>> rules)
      throws IOException {
    for (String family : directories(region)) {
      Optional<ArchiveRule> rule = rules.apply(family);
      if (rule.isPresent() && !family.equals(HConstants.RECOVERED_EDITS_DIR)) {
        list(
            new Store(table, family, new Path(region, family)),
            OptionalDouble.empty(),
            file -> decideOfArchived(rule.get(), file));
      }
    }
  }

  private PlacementDecision decideOfArchived(ArchiveRule rule, Seen file) {
    remind(file.modifiedMillis() + rule.ageMillis());
    return rule.of(file.policy(), file.modifiedMillis(), nowMillis);
  }

  private List<String> directories(Path parent) throws IOException {
    List<String> directories = new ArrayList<>();
    for (HdfsFileStatus child : list(parent, false)) {
      if (child.isDirectory() && !child.getLocalName().startsWith(".")) {
        directories.add(child.getLocalName());
      }
    }
    return directories;
  }

  /** What a directory has; nothing if it is gone. */
  private List<HdfsFileStatus> list(Path directory, boolean located) throws IOException {
    List<HdfsFileStatus> children = new ArrayList<>();
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    DirectoryListing page;
    do {
      budget.take(1);
      page = fs.getClient().listPaths(directory.toUri().getPath(), after, located);
      if (page == null) {
        return children;
      }
      children.addAll(List.of(page.getPartialListing()));
      after = page.getLastName();
    } while (page.hasMore());
    return children;
  }

  /** Lists. */
  @FunctionalInterface
  private interface Listing {
    void list() throws IOException;
  }

  private void enter(Place place, Inputs inputs, Listing listing) throws IOException {
    if (gate.enters(place, inputs)) {
      nextMillis = Long.MAX_VALUE;
      listing.list();
      gate.left(place, inputs, nextMillis);
    }
  }

  private void list(Store store, OptionalDouble perSecond, Wanting rule) throws IOException {
    for (HdfsFileStatus child : list(store.directory(), true)) {
      if (child instanceof HdfsLocatedFileStatus file && isStoreFile(file)) {
        Seen seen = new Seen(file, store.directory(), perSecond);
        try {
          visitor.visit(judged(store, seen, possible(store, seen, rule.of(seen))));
        } catch (FileNotFoundException e) {
          LOG.debug("{} is gone", seen.path(), e);
        }
      }
    }
  }

  private static boolean isStoreFile(HdfsLocatedFileStatus file) {
    return file.isFile()
        && (StoreFileInfo.isHFile(file.getLocalName())
            || StoreFileInfo.isMobFile(new Path(file.getLocalName())))
        && !file.getLocatedBlocks().isUnderConstruction();
  }

  /** Leaves an erasure-coded file alone if HDFS ignores the policy that is wanted. */
  private PlacementDecision possible(Store store, Seen seen, PlacementDecision decision) {
    Optional<String> ignored =
        decision.policy().filter(policy -> !placement.takes(seen.file, policy));
    if (ignored.isEmpty()) {
      return decision;
    }
    if (coded.add(store.table())) {
      LOG.warn(
          "Erasure-coded files of {} stay where they are: HDFS does not place such files by {}",
          store.table(),
          ignored.get());
    }
    return PlacementDecision.none(decision.state());
  }

  private RestingFile judged(Store store, Seen seen, PlacementDecision decision) {
    return new RestingFile(
        store.table(),
        store.family(),
        seen.path(),
        seen.file.getFileId(),
        decision.state(),
        seen.policy(),
        decision.policy(),
        decision.change(),
        Placement.stored(seen.file),
        decision.policy().map(policy -> placement.misplaced(seen.file, policy)).orElse(Map.of()));
  }

  /** A file of a listing; what the listing does not tell is asked for when a rule needs it. */
  private final class Seen implements StoreRules.Subject {
    private final HdfsLocatedFileStatus file;
    private final Path directory;
    private final OptionalDouble perSecond;

    Seen(HdfsLocatedFileStatus file, Path directory, OptionalDouble perSecond) {
      this.file = file;
      this.directory = directory;
      this.perSecond = perSecond;
    }

    Path path() {
      return file.getFullPath(directory);
    }

    @Override
    public String policy() {
      return placement.policy(file);
    }

    @Override
    public String inherited() throws IOException {
      budget.take(1);
      HdfsFileStatus parent = fs.getClient().getFileInfo(directory.toUri().getPath());
      if (parent == null) {
        throw new FileNotFoundException(directory.toString());
      }
      return placement.policy(parent);
    }

    @Override
    public OptionalDouble reads() {
      return perSecond;
    }

    @Override
    public long modifiedMillis() {
      return file.getModificationTime();
    }

    @Override
    public long bytes() {
      return file.getLen();
    }

    @Override
    public Optional<StoreFileHistory> history() throws IOException {
      return histories.of(file.getFileId(), path());
    }
  }
}
