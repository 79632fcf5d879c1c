package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Generates a random program from a seed; the same seed gives the same program. */
final class Generator {
  private static final List<String> FAMILIES = List.of("a", "b", "c");
  private static final int SCANNERS = 2;

  private final Random random;
  private final List<Line> program = new ArrayList<>();

  /** Tables by name, each with the line that created it. */
  private final Map<String, Line> tables = new LinkedHashMap<>();

  /** Snapshots by name, each with its table. */
  private final Map<String, String> snapshots = new LinkedHashMap<>();

  private Keys keys;
  private boolean killIsToCome;

  private Generator(long seed) {
    random = new Random(seed);
  }

  /**
   * Generates a program.
   *
   * @param operations number of operations after the first ones, which create and fill a table
   * @param kills whether the program may kill RegionServers
   */
  static List<Line> program(long seed, int operations, boolean kills) {
    Generator generator = new Generator(seed);
    generator.begin();
    int kill = kills ? generator.random.nextInt(operations) : -1;
    generator.killIsToCome = kills;
    for (int i = 0; i < operations; i++) {
      generator.operation();
      if (i == kill) {
        generator.add(Line.of("kill"));
        generator.killIsToCome = false;
      }
    }
    return List.copyOf(generator.program);
  }

  private void add(Line line) {
    program.add(line);
  }

  private void begin() {
    List<String> families = FAMILIES.subList(0, 1 + random.nextInt(FAMILIES.size()));
    keys = new Keys(random, families);
    Line create = Line.of("create").with("t", "t0").with("families", String.join(",", families));
    if (chance(50)) {
      create = create.with("splits", chance(50) ? "r100" : "r060,r120,r200");
    }
    if (chance(20)) {
      create = create.with("engine", chance(50) ? "stripe" : "dateTiered");
    }
    for (String family : families) {
      create = Schema.random(create, family, random);
    }
    tables.put("t0", create);
    add(create);
    add(fill("t0"));
    if (chance(70)) {
      add(Line.of("flush").with("t", "t0"));
    }
    add(fill("t0"));
  }

  private void operation() {
    String table = pick(List.copyOf(tables.keySet()));
    int choice = random.nextInt(100);
    if (choice < 62) {
      read(table);
    } else if (choice < 95) {
      write(table);
    } else {
      admin(table);
    }
  }

  private void read(String table) {
    int choice = random.nextInt(100);
    if (choice < 25) {
      Line get = get(Line.of("get"), table);
      add(chance(15) ? get.with("client", "async") : get);
    } else if (choice < 30) {
      add(get(Line.of("exists"), table));
    } else if (choice < 85) {
      add(scan(Line.of("scan"), table));
    } else if (choice < 89) {
      add(
          scan(Line.of("open").with("s", scanner()), table)
              .without("client")
              .without("take")
              .without("maxSize")
              .without("columns"));
    } else if (choice < 98) {
      add(Line.of("next").with("s", scanner()).with("take", 1 + random.nextInt(30)));
    } else {
      add(Line.of("close").with("s", scanner()));
    }
  }

  private String scanner() {
    return "s" + random.nextInt(SCANNERS);
  }

  private Line get(Line line, String table) {
    Line get = line.with("t", table).with("rows", some(1 + random.nextInt(3), keys::row));
    get = query(get, false);
    return chance(6) ? get.with("existence", "true") : get;
  }

  /**
   * Adds the arguments of gets and scans. With new version behaviour they name no columns: HBase
   * 2.6.4 seeks a deleted cell's own column again, for good, with and without us.
   */
  private Line query(Line line, boolean reversed) {
    Line query = line;
    if (chance(25)) {
      query = query.with("families", keys.family());
    }
    if (chance(30) && !has(line.get("t"), "newVersions", "true")) {
      query = query.with("columns", some(1 + random.nextInt(3), keys::column));
    }
    if (chance(50)) {
      query = query.with("versions", 1 + random.nextInt(5));
    }
    if (chance(25)) {
      query = timeRange(query);
    }
    if (chance(8)) {
      query = query.with("ranges", keys.family() + ":" + range());
    }
    if (chance(50)) {
      query = query.with("filter", new FilterGenerator(random, keys, reversed).filter(2));
    }
    if (chance(10)) {
      query = query.with("perFamily", random.nextInt(5));
    }
    if (chance(10)) {
      query = query.with("offset", random.nextInt(4));
    }
    if (chance(15)) {
      query = query.with("cacheBlocks", "false");
    }
    if (chance(30)) {
      query = query.with("onDemand", chance(70));
    }
    return chance(5) ? query.with("uncommitted", "true") : query;
  }

  private Line timeRange(Line line) {
    int one = keys.time();
    int other = keys.time();
    Line range = chance(70) ? line.with("from", Math.min(one, other)) : line;
    return chance(70) ? range.with("to", Math.max(one, other)) : range;
  }

  private String range() {
    int one = keys.time();
    int other = keys.time();
    return Math.min(one, other) + ":" + Math.max(one, other);
  }

  private Line scan(Line line, String table) {
    boolean reversed = chance(25);
    Line scan = rows(line.with("t", table), reversed);
    if (reversed) {
      scan = scan.with("reversed", "true");
    }
    scan = query(scan, reversed);
    if (chance(10) && !inMemoryCompacted(table)) {
      scan = scan.with("raw", "true");
    }
    return limits(scan);
  }

  private Line rows(Line line, boolean reversed) {
    Line scan = line;
    String one = keys.row();
    String other = keys.row();
    boolean inOrder = one.compareTo(other) <= 0 != reversed;
    if (chance(50)) {
      scan = scan.with("start", inOrder ? one : other);
      scan = chance(20) ? scan.with("afterStart", "true") : scan;
    }
    if (chance(40)) {
      scan = scan.with("stop", inOrder ? other : one);
      scan = chance(20) ? scan.with("withStop", "true") : scan;
    }
    return scan;
  }

  private Line limits(Line line) {
    Line scan = line;
    if (chance(25)) {
      scan = scan.with("batch", 1 + random.nextInt(6));
    }
    if (chance(50)) {
      scan = scan.with("caching", 1 + random.nextInt(chance(50) ? 5 : 100));
    }
    if (chance(20)) {
      scan = scan.with("limit", 1 + random.nextInt(30));
    }
    if (chance(40)) {
      scan = scan.with("maxSize", chance(50) ? 1 : 1 + random.nextInt(5000));
    }
    if (chance(30)) {
      scan = scan.with("partial", "true");
    }
    if (chance(25)) {
      scan = scan.with("cursor", "true");
    }
    if (chance(5)) {
      scan = scan.with("small", "true");
    } else if (chance(40)) {
      scan = scan.with("readType", chance(50) ? "STREAM" : "PREAD");
    }
    if (scan.has("offset") && scan.has("maxSize")) {
      // Together they can make HBase scan, or its client open a scanner again, for good.
      scan = scan.without("maxSize");
    }
    scan = client(scan);
    if (scan.has("batch") && scan.has("maxSize")) {
      // HBase counts the rows of cut batches wrongly, and its asynchronous client waits for good.
      scan = scan.without("limit");
    }
    if (showsAnswers(scan) && !scan.get("maxSize", "1").equals("1")) {
      // A limit of heap sizes cuts rows elsewhere, so the first results have other cells.
      scan = scan.without("take");
    }
    return showsAnswers(scan) && !scan.has("readType") && !scan.has("small")
        ? scan.with("readType", chance(50) ? "STREAM" : "PREAD")
        : scan;
  }

  /**
   * Returns whether a client sees where answers end. With the default read type, HBase ends one
   * early to change from positional reads to a stream. A scan that began inline does so later.
   */
  private static boolean showsAnswers(Line scan) {
    return scan.has("partial") || scan.has("cursor") || scan.get("client", "").equals("advanced");
  }

  private Line client(Line scan) {
    int client = random.nextInt(10);
    if (client == 0) {
      return scan.with("client", "async");
    }
    if (client == 1) {
      return scan.with("client", "advanced");
    }
    if (client == 2) {
      // HBase's prefetching scanner fails at each cursor, since a cursor has no cells.
      return scan.without("cursor").with("prefetch", "true");
    }
    return chance(15) ? scan.with("take", 1 + random.nextInt(20)) : scan.with("metrics", "true");
  }

  private void write(String table) {
    int choice = random.nextInt(100);
    String row = keys.row();
    if (choice < 25) {
      add(stamped(Line.of("put").with("t", table).with("row", row).with("cells", cells())));
    } else if (choice < 50) {
      Line delete = Line.of("delete").with("t", table).with("row", row);
      add(time(delete.with("marks", marks())));
    } else if (choice < 57) {
      add(sum(Line.of("increment").with("t", table).with("row", row)));
    } else if (choice < 64) {
      add(silent(Line.of("append").with("t", table).with("row", row).with("cells", cells())));
    } else if (choice < 74) {
      add(check(table, row));
    } else if (choice < 81) {
      add(several(Line.of("mutate").with("t", table).with("row", row)));
    } else if (choice < 88) {
      add(batch(table));
    } else if (choice < 94) {
      add(fill(table));
    } else {
      add(bulk(table));
    }
  }

  private Line time(Line line) {
    return chance(92) ? line.with("ts", keys.time()) : line;
  }

  private Line stamped(Line line) {
    Line put = time(line);
    if (chance(10)) {
      put = put.with("ttl", "true");
    }
    return chance(15) ? put.with("tag", "t" + random.nextInt(100)) : put;
  }

  private Line silent(Line line) {
    return chance(15) ? line.with("silent", "true") : line;
  }

  /**
   * Adds an increment. Counters have columns of their own, because most increments of other values
   * would fail.
   */
  private Line sum(Line line) {
    return silent(line.with("cells", sums()));
  }

  private String sums() {
    return keys.family()
        + ":"
        + (chance(90) ? "n" + random.nextInt(2) : keys.qualifier())
        + "/L"
        + random.nextInt(10);
  }

  private String cells() {
    return some(1 + random.nextInt(3), this::cell);
  }

  private String cell() {
    return keys.column() + "/" + keys.value(chance(10) ? 3000 : 30);
  }

  private String marks() {
    return switch (random.nextInt(8)) {
      case 0 -> "row";
      case 1, 2 -> "family/" + keys.family();
      case 3 -> "version/" + keys.family();
      case 4, 5 -> "column/" + keys.column();
      default -> "columns/" + keys.column();
    };
  }

  private Line several(Line line) {
    Line mutations = time(line.with("cells", cells()));
    mutations = chance(60) ? mutations.with("marks", "columns/" + keys.column()) : mutations;
    mutations = chance(20) ? mutations.with("sums", sums()) : mutations;
    return chance(20) ? mutations.with("ends", cell()) : mutations;
  }

  private Line check(String table, String row) {
    Line check = Line.of("check").with("t", table).with("row", row);
    if (chance(70)) {
      String column = keys.column();
      check = check.with("if", chance(50) ? "missing/" + column : "NOT_EQUAL/" + column + "/1x3");
    } else {
      check = check.with("filter", new FilterGenerator(random, keys, false).filter(1));
    }
    if (chance(20)) {
      check = timeRange(check);
    }
    return switch (random.nextInt(5)) {
      case 0 -> time(check.with("then", "put").with("cells", cells()));
      case 1 -> time(check.with("then", "delete").with("marks", marks()));
      case 2 -> sum(check.with("then", "increment"));
      case 3 -> check.with("then", "append").with("cells", cells());
      default -> several(check.with("then", "several"));
    };
  }

  private Line batch(String table) {
    Line batch =
        Line.of("batch").with("t", table).with("rows", some(1 + random.nextInt(5), keys::row));
    batch = stamped(batch.with("cells", cells()));
    batch = chance(40) ? batch.with("marks", marks()) : batch;
    return chance(50) ? batch.with("get", "true") : batch;
  }

  private Line fill(String table) {
    Line fill =
        rowRange(Line.of("fill").with("t", table))
            .with("columns", some(1 + random.nextInt(6), keys::column))
            .with("ts", keys.time())
            .with("length", random.nextInt(chance(10) ? 500 : 30))
            .with("seed", random.nextInt(1000));
    fill = chance(50) ? fill.with("density", 20 + random.nextInt(80)) : fill;
    return chance(40) ? fill.with("count", 1 + random.nextInt(4)) : fill;
  }

  private Line rowRange(Line line) {
    int from = random.nextInt(Keys.ROWS / 2);
    int to = from + 1 + random.nextInt(Keys.ROWS - from);
    Line range = line.with("rows", from + "-" + to);
    return chance(40) ? range.with("step", 1 + random.nextInt(7)) : range;
  }

  private Line bulk(String table) {
    Line bulk =
        rowRange(Line.of("bulk").with("t", table))
            .with("family", keys.family())
            .with("columns", some(1 + random.nextInt(3), keys::qualifier))
            .with("ts", keys.time())
            .with("length", random.nextInt(30))
            .with("seed", random.nextInt(1000));
    bulk = chance(30) ? bulk.with("count", 1 + random.nextInt(4)) : bulk;
    bulk = chance(30) ? bulk.with("marks", "true") : bulk;
    bulk = chance(20) ? bulk.with("noSequence", "true") : bulk;
    bulk = chance(20) ? bulk.with("tag", "t" + random.nextInt(100)) : bulk;
    bulk = chance(20) ? bulk.with("compression", "GZ") : bulk;
    bulk = chance(30) ? bulk.with("bloom", chance(50) ? "ROW" : "ROWCOL") : bulk;
    return chance(50)
        ? bulk.with("encoding", pick(List.of("PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1")))
        : bulk;
  }

  private void admin(String table) {
    int choice = random.nextInt(100);
    if (choice < 35) {
      Line flush = Line.of("flush").with("t", table);
      add(chance(20) ? flush.with("family", keys.family()) : flush);
    } else if (choice < 55) {
      Line compact = Line.of("compact").with("t", table);
      add(chance(25) ? compact.with("minor", 2) : compact);
    } else if (choice < 65) {
      add(Line.of("split").with("t", table).with("row", keys.row()));
    } else if (choice < 71) {
      add(Line.of("merge").with("t", table).with("region", random.nextInt(2)));
    } else if (choice < 80) {
      add(Line.of("move").with("t", table).with("region", random.nextInt(3)));
    } else if (choice < 87) {
      alter(table);
    } else if (choice < 89) {
      add(Line.of("truncate").with("t", table));
      add(fill(table));
    } else {
      snapshots(table);
    }
  }

  private void alter(String table) {
    Line before = tables.get(table);
    Line after = Schema.random(Line.of("alter").with("t", table), keys.family(), random);
    if (!inMemoryCompacted(table)
        && after.arguments().keySet().stream().noneMatch(Generator::lasting)) {
      add(after);
      Line all = before;
      for (Map.Entry<String, String> each : after.without("t").arguments().entrySet()) {
        all = all.with(each.getKey(), each.getValue());
      }
      tables.put(table, all);
    }
  }

  /**
   * Returns whether an attribute must not change: HBase refuses the change, or it affects old
   * cells.
   */
  private static boolean lasting(String attribute) {
    return attribute.endsWith(".memory") || attribute.endsWith(".newVersions");
  }

  private void snapshots(String table) {
    if (snapshots.isEmpty() || chance(30)) {
      String snapshot = "s" + snapshots.size();
      snapshots.put(snapshot, table);
      add(Line.of("snapshot").with("t", table).with("snapshot", snapshot));
      return;
    }
    String snapshot = pick(List.copyOf(snapshots.keySet()));
    String source = snapshots.get(snapshot);
    if (tables.size() < 3 && chance(60)) {
      String copy = "t" + tables.size();
      tables.put(copy, tables.get(source));
      add(Line.of("clone").with("snapshot", snapshot).with("to", copy));
    } else if (!killIsToCome) {
      // HBase may replay writes that a restore undid, if a server dies while its log has them.
      add(Line.of("restore").with("t", source).with("snapshot", snapshot));
    }
  }

  /**
   * Returns whether a table has in-memory compactions. They remove cells at their own times, which
   * raw scans notice.
   */
  private boolean inMemoryCompacted(String table) {
    return has(table, "memory", "EAGER");
  }

  /** Returns whether a family of a table has an attribute with that value. */
  private boolean has(String table, String attribute, String value) {
    return FAMILIES.stream()
        .anyMatch(family -> tables.get(table).get(family + "." + attribute, "").equals(value));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String some(int count, Supplier<String> each) {
    return IntStream.range(0, count).mapToObj(i -> each.get()).collect(Collectors.joining(","));
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
