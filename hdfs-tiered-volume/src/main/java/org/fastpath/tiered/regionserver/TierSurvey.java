package org.fastpath.tiered.regionserver;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
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
 * Lists the complete files of tables with rules, in stores and in the archive, and decides about
 * each file. The keeper of tiers and the command that shows a plan use it.
 *
 * <p>It costs the NameNode a listing for each table with rules. It also costs a listing with
 * locations for each directory that its {@link Gate} admits. A table without rules costs nothing,
 * but a deleted one is asked for its rules once a generation. A file that is deleted or renamed
 * meanwhile is skipped; the next survey finds it.
 *
 * <p>References and links are skipped: they have no data of their own. It changes nothing. Not
 * thread-safe.
 */
final class TierSurvey {
  private static final Logger LOG = LoggerFactory.getLogger(TierSurvey.class);

  private static final Comparator<TableName> BY_NAME =
      Comparator.comparing(TableName::getNamespaceAsString)
          .thenComparing(TableName::getQualifierAsString);

  /** The calls to the NameNode for the list of policies. */
  private static final int PLACEMENT_CALLS = 2;

  /** Visits the files one by one, on the thread of the survey. */
  @FunctionalInterface
  interface Visitor {
    void visit(RestingFile file) throws IOException;
  }

  /** Selects the directories that are listed. */
  interface Gate {
    /** Returns the directory at which the survey begins; empty for the first one of all. */
    Optional<Place> first();

    /**
     * Returns whether a directory is listed now.
     *
     * @param inputs known facts about it without a listing
     */
    boolean enters(Place directory, Inputs inputs);

    /**
     * Reports that it was listed.
     *
     * @param nextMillis time at which the decision about one of its files changes by age alone
     */
    void left(Place directory, Inputs inputs, long nextMillis);
  }

  /** Admits every directory. */
  static final Gate OPEN =
      new Gate() {
        @Override
        public Optional<Place> first() {
          return Optional.empty();
        }

        @Override
        public boolean enters(Place directory, Inputs inputs) {
          return true;
        }

        @Override
        public void left(Place directory, Inputs inputs, long nextMillis) {
          // This gate keeps no state.
        }
      };

  /**
   * A directory with files, or with directories of files in the archive. The order is that of a
   * survey: stores come before the archive, and names ascend.
   *
   * @param region the encoded name
   * @param family empty for a region in the archive
   */
  record Place(TableName table, boolean isArchived, String region, String family)
      implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::isArchived)
            .thenComparing(Place::table, BY_NAME)
            .thenComparing(Place::region)
            .thenComparing(Place::family);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * A part of a survey.
   *
   * @param first directory of the later part; empty if that part is the whole survey
   * @param isLater whether this is the part from that directory on
   */
  private record Part(Optional<Place> first, boolean isLater) {
    boolean contains(Place place) {
      return first.isEmpty() || place.compareTo(first.get()) >= 0 == isLater;
    }

    /** Returns whether directories of a table may be in this part. */
    boolean isAbout(TableName table, boolean isArchived) {
      return first.isEmpty()
          || contains(new Place(table, isArchived, first.get().region(), first.get().family()))
          || first.get().table().equals(table) && first.get().isArchived() == isArchived;
    }

    boolean isAboutArchive() {
      return isLater || first.get().isArchived();
    }
  }

  /**
   * The known facts about a directory without a listing. If they are unchanged, so are the files,
   * unless a program other than HBase has changed them.
   *
   * @param isLive whether a RegionServer reports the region; if not, files may change without
   *     notice
   * @param fingerprint of the region's last report, its class of reads and the rules
   */
  record Inputs(boolean isLive, long fingerprint) {
    /** Returns the facts of a directory whose files may appear some time after the report. */
    Inputs unnoticed() {
      return new Inputs(false, fingerprint);
    }
  }

  /** Decides about a file. */
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

  /** Tables with erasure-coded files that are not moved. */
  private final Set<TableName> coded = new HashSet<>();

  /** Deleted tables whose rules were not kept, as far as this generation has asked. */
  private final Set<TableName> withoutKept = new HashSet<>();

  private final CallBudget budget;
  private final LongSupplier clock;

  private Placement placement;
  private long nowMillis;
  private long nextMillis;
  private Gate gate;
  private Part part;
  private Visitor visitor;

  /**
   * Makes a survey of HBase's file system without a budget.
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
   * Makes a survey within a budget.
   *
   * @param histories of store files
   * @param millisClock clock for the age of files
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
   * Lists the directories that the gate admits: first those from the gate's first one on, then the
   * ones before it.
   *
   * @param tables that exist
   * @param chosen selects tables, also deleted ones
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
    names.forEach(withoutKept::remove);
    Map<TableName, Optional<TableRules>> present = new TreeMap<>(BY_NAME);
    for (TableDescriptor table : tables) {
      if (isSurveyed(table.getTableName(), chosen)) {
        present.put(table.getTableName(), rules(table));
      }
    }
    Optional<Place> first = gate.first();
    survey(new Part(first, true), present, chosen);
    if (first.isPresent()) {
      survey(new Part(first, false), present, chosen);
    }
  }

  private void survey(
      Part surveyed, Map<TableName, Optional<TableRules>> present, Predicate<TableName> chosen)
      throws IOException {
    part = surveyed;
    for (Map.Entry<TableName, Optional<TableRules>> table : present.entrySet()) {
      Optional<TableRules> rules = table.getValue();
      if (rules.isPresent()
          && rules.get().areAboutStores()
          && part.isAbout(table.getKey(), false)
          && chosen.test(table.getKey())) {
        surveyStores(table.getKey(), rules.get());
      }
    }
    if (part.isAboutArchive()) {
      surveyArchive(present, chosen);
    }
  }

  private static boolean isSurveyed(TableName table, Predicate<TableName> chosen) {
    return !table.isSystemTable() && chosen.test(table);
  }

  /** Returns the number of tables with wrong rules; their files are skipped. */
  int misconfigured() {
    return misconfigured.size();
  }

  /** Begins a generation: all files were listed since the last one, or soon after it. */
  void beginGeneration() {
    histories.beginGeneration();
    withoutKept.clear();
  }

  private Optional<TableRules> rules(TableDescriptor table) {
    try {
      TableRules rules = TableRules.of(conf, table);
      misconfigured.remove(table.getTableName());
      return Optional.of(rules);
    } catch (InvalidValueException e) {
      if (misconfigured.add(table.getTableName())) {
        LOG.error(
            "Files of {} stay where they are because a rule is wrong: {}",
            table.getTableName(),
            e.getMessage());
      }
      return Optional.empty();
    }
  }

  private void surveyStores(TableName table, TableRules rules) throws IOException {
    Map<String, StoreRules> families = new TreeMap<>(rules.families());
    families.values().removeIf(family -> !family.areAboutStores());
    Map<String, StoreRules> mobFamilies = new TreeMap<>(families);
    mobFamilies.keySet().retainAll(rules.mobFamilies());
    Path tableDirectory = CommonFSUtils.getTableDir(root, table);
    Path mob = MobUtils.getMobRegionPath(root, table);
    SortedSet<String> regions = directories(tableDirectory);
    regions.add(mob.getName());
    for (String region : regions) {
      if (region.equals(mob.getName())) {
        surveyMob(table, mob, mobFamilies);
      } else {
        surveyRegion(table, new Path(tableDirectory, region), families);
      }
    }
  }

  private void surveyRegion(TableName table, Path directory, Map<String, StoreRules> families)
      throws IOException {
    String region = directory.getName();
    OptionalDouble perSecond = reads.perSecond(region);
    for (Map.Entry<String, StoreRules> family : families.entrySet()) {
      StoreRules own = family.getValue();
      enter(
          new Place(table, false, region, family.getKey()),
          inputs(region, own.fingerprint(perSecond)),
          () ->
              list(
                  new Store(table, family.getKey(), new Path(directory, family.getKey())),
                  perSecond,
                  file -> decide(own, file)));
    }
  }

  private void surveyMob(TableName table, Path mob, Map<String, StoreRules> families)
      throws IOException {
    for (Map.Entry<String, StoreRules> family : families.entrySet()) {
      StoreRules own = family.getValue();
      enter(
          new Place(table, false, mob.getName(), family.getKey()),
          inputs(mob.getName(), own.fingerprint(OptionalDouble.empty())),
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

  /** Schedules another decision about the files of the current directory. */
  private void remind(long millis) {
    if (millis > nowMillis) {
      nextMillis = Math.min(nextMillis, millis);
    }
  }

  private Inputs inputs(String region, long rules) {
    OptionalLong report = reads.fingerprint(region);
    return new Inputs(report.isPresent(), 31 * report.orElse(0) + rules);
  }

  private void surveyArchive(
      Map<TableName, Optional<TableRules>> present, Predicate<TableName> chosen)
      throws IOException {
    for (String namespace : directories(archive)) {
      Path tables = new Path(archive, namespace);
      for (String name : directories(tables)) {
        TableName table = TableName.valueOf(namespace, name);
        if (isSurveyed(table, chosen) && part.isAbout(table, true)) {
          surveyArchive(table, new Path(tables, name), present.get(table));
        }
      }
    }
  }

  private void surveyArchive(TableName table, Path directory, Optional<TableRules> present)
      throws IOException {
    if (present == null) {
      surveyArchiveOfDeleted(table, directory);
    } else if (present.isPresent() && present.get().areAboutArchive()) {
      TableRules rules = present.get();
      surveyArchive(table, directory, rules::archive, rules.archive().hashCode());
    }
  }

  /** Surveys a deleted table by the rules that it had; by those of the site if unknown. */
  private void surveyArchiveOfDeleted(TableName table, Path directory) throws IOException {
    Optional<Map<String, ArchiveRule>> kept = kept(table, directory);
    Optional<ArchiveRule> site = AtRestRules.of(conf).archive();
    if (kept.isPresent() && !kept.get().isEmpty()) {
      surveyArchive(table, directory, family -> Optional.ofNullable(kept.get().get(family)), 0);
    } else if (kept.isEmpty() && site.isPresent()) {
      surveyArchive(table, directory, family -> site, 0);
    }
  }

  private Optional<Map<String, ArchiveRule>> kept(TableName table, Path directory)
      throws IOException {
    if (withoutKept.contains(table)) {
      return Optional.empty();
    }
    try {
      budget.take(1);
      Optional<Map<String, ArchiveRule>> kept = archived.recall(directory);
      if (kept.isEmpty()) {
        withoutKept.add(table);
      }
      return kept;
    } catch (FileNotFoundException e) {
      // The last file of the table is gone.
      return Optional.empty();
    }
  }

  private void surveyArchive(
      TableName table,
      Path directory,
      Function<String, Optional<ArchiveRule>> rules,
      long rulesFingerprint)
      throws IOException {
    for (String region : directories(directory)) {
      enter(
          new Place(table, true, region, ""),
          inputs(region, rulesFingerprint).unnoticed(),
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

  private SortedSet<String> directories(Path parent) throws IOException {
    SortedSet<String> directories = new TreeSet<>();
    for (HdfsFileStatus child : list(parent, false)) {
      if (child.isDirectory() && !child.getLocalName().startsWith(".")) {
        directories.add(child.getLocalName());
      }
    }
    return directories;
  }

  /** Returns the content of a directory; empty if it is gone. */
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
    if (part.contains(place) && gate.enters(place, inputs)) {
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

  /** Returns the decision, or none for an erasure-coded file if HDFS ignores the wanted policy. */
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

  /** A file of a listing. Further facts are read when a rule needs them. */
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
