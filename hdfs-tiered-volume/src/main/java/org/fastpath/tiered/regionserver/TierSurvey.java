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
import java.util.Set;
import java.util.function.Function;
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
 * Looks at all complete files of tables with rules, in stores and in the archive, and says of each
 * what the rules want. Who keeps files where they belong and who only shows it use the same one.
 *
 * <p>It costs the NameNode a listing for each table and region, and one with locations for each
 * directory of a family that has rules; a table without rules costs nothing. What is deleted or
 * renamed meanwhile is left out: the next survey finds it where it is then.
 *
 * <p>References and links are no store files: they have no data of their own. Changes nothing. For
 * one thread.
 */
final class TierSurvey {
  private static final Logger LOG = LoggerFactory.getLogger(TierSurvey.class);

  /** Gets the files one by one, on the thread of the survey. */
  @FunctionalInterface
  interface Visitor {
    void visit(RestingFile file) throws IOException;
  }

  /** What is wanted of a file. */
  @FunctionalInterface
  private interface Wanting {
    Wish of(Seen file) throws IOException;
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

  private boolean dependsOnReads;
  private Placement placement;
  private long nowMillis;
  private Visitor visitor;

  /**
   * A survey of the file system that HBase is on.
   *
   * @param conf with the rules of the site
   */
  TierSurvey(DistributedFileSystem fs, Configuration conf, RegionReads reads) throws IOException {
    this.fs = fs;
    this.conf = conf;
    this.reads = reads;
    root = CommonFSUtils.getRootDir(conf);
    archive = new Path(HFileArchiveUtil.getArchivePath(conf), HConstants.BASE_NAMESPACE_DIR);
    archived = new ArchivedTables(fs);
    histories = new StoreFileHistories(fs, conf);
  }

  /**
   * Looks at all of them once.
   *
   * @param tables that there are
   * @param chosen which of them, and of those that were deleted, are looked at
   */
  void run(Collection<TableDescriptor> tables, Predicate<TableName> chosen, Visitor visitor)
      throws IOException {
    this.visitor = visitor;
    placement = Placement.of(fs);
    nowMillis = System.currentTimeMillis();
    dependsOnReads = false;
    histories.beginRound();
    misconfigured.retainAll(tables.stream().map(TableDescriptor::getTableName).toList());
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

  /** Whether rules of tables that the last run has looked at are about how often they are read. */
  boolean dependsOnReads() {
    return dependsOnReads;
  }

  private Optional<TableRules> rules(TableDescriptor table) {
    try {
      TableRules rules = TableRules.of(conf, table);
      dependsOnReads |= rules.dependOnReads();
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
    for (Path region : directories(CommonFSUtils.getTableDir(root, table))) {
      OptionalDouble perSecond = reads.perSecond(region.getName());
      for (Map.Entry<String, StoreRules> family : families.entrySet()) {
        Path directory = new Path(region, family.getKey());
        lookAt(
            new Store(table, family.getKey(), directory),
            perSecond,
            file -> family.getValue().of(file, nowMillis));
      }
    }
    families.keySet().retainAll(rules.mobFamilies());
    Path mob = MobUtils.getMobRegionPath(root, table);
    for (Map.Entry<String, StoreRules> family : families.entrySet()) {
      lookAt(
          new Store(table, family.getKey(), MobUtils.getMobFamilyPath(mob, family.getKey())),
          OptionalDouble.empty(),
          file -> family.getValue().ofMob(file, nowMillis));
    }
  }

  private void lookAtArchive(
      Map<TableName, Optional<TableRules>> present, Predicate<TableName> chosen)
      throws IOException {
    for (Path namespace : directories(archive)) {
      for (Path directory : directories(namespace)) {
        TableName table = TableName.valueOf(namespace.getName(), directory.getName());
        if (isLookedAt(table, chosen)) {
          Optional<TableRules> rules = present.get(table);
          lookAtArchive(
              table,
              directory,
              rules == null
                  ? deleted(directory)
                  : family -> rules.flatMap(known -> known.archive(family)));
        }
      }
    }
  }

  /** The rules that a table had before it was deleted, by family; those of the site if unknown. */
  private Function<String, Optional<ArchiveRule>> deleted(Path directory) throws IOException {
    Optional<Map<String, ArchiveRule>> kept = Optional.empty();
    try {
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
      TableName table, Path directory, Function<String, Optional<ArchiveRule>> rules)
      throws IOException {
    for (Path region : directories(directory)) {
      for (Path family : directories(region)) {
        Optional<ArchiveRule> rule = rules.apply(family.getName());
        if (rule.isPresent() && !family.getName().equals(HConstants.RECOVERED_EDITS_DIR)) {
          lookAt(
              new Store(table, family.getName(), family),
              OptionalDouble.empty(),
              file -> rule.get().of(file.policy(), file.modifiedMillis(), nowMillis));
        }
      }
    }
  }

  private List<Path> directories(Path parent) throws IOException {
    List<Path> directories = new ArrayList<>();
    for (HdfsFileStatus child : list(parent, false)) {
      if (child.isDirectory() && !child.getLocalName().startsWith(".")) {
        directories.add(child.getFullPath(parent));
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
      page = fs.getClient().listPaths(directory.toUri().getPath(), after, located);
      if (page == null) {
        return children;
      }
      children.addAll(List.of(page.getPartialListing()));
      after = page.getLastName();
    } while (page.hasMore());
    return children;
  }

  private void lookAt(Store store, OptionalDouble perSecond, Wanting rule) throws IOException {
    for (HdfsFileStatus child : list(store.directory(), true)) {
      if (child instanceof HdfsLocatedFileStatus file && isStoreFile(file)) {
        Seen seen = new Seen(file, store.directory(), perSecond);
        try {
          visitor.visit(judged(store, seen, rule.of(seen)));
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

  private RestingFile judged(Store store, Seen seen, Wish wish) {
    return new RestingFile(
        store.table(),
        store.family(),
        seen.path(),
        seen.file.getFileId(),
        wish.state(),
        seen.policy(),
        wish.policy(),
        wish.change(),
        Placement.stored(seen.file),
        wish.policy().map(policy -> placement.misplaced(seen.file, policy)).orElse(Map.of()));
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
