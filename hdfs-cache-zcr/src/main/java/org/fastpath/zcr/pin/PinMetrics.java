package org.fastpath.zcr.pin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Histogram;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;

/**
 * The metrics sources {@code HdfsCachePins} and, by table, {@code HdfsCacheTables}. Counters are
 * thread-safe; {@link #show} is not.
 */
final class PinMetrics implements AutoCloseable {
  private static final String NAMESPACE = "namespace";
  private static final String TABLE = "table";

  private final Counter rounds;
  private final Counter failedRounds;
  private final Counter pins;
  private final Counter unpins;
  private final Counter refused;
  private final Counter invalidPolicies;
  private final Counter pinnedOutputs;
  private final Counter impatient;
  private final Counter listingCalls;
  private final Counter renewals;
  private final Counter reportsSent;
  private final Counter reportsFailed;
  private final Histogram waits;
  private final Registration registration;
  private final AggregateSource tableSource;
  private final Map<String, TableShare> tables = new HashMap<>();
  private volatile Shown shown = new Shown(0, 0, 0, 0, 0, 1);
  private volatile Coordination coordination = Coordination.NONE;

  /** The values of gauges. */
  private record Shown(long wanted, long pinned, long bytes, long cached, long share, long idle) {}

  /** The values of the coordinator's gauges; zeros on all other servers. */
  private record Coordination(long coordinates, long servers, long complete, long deferred) {
    static final Coordination NONE = new Coordination(0, 0, 0, 0);
  }

  /** The pinned files of a table. */
  private static final class TableShare {
    private volatile long files;
    private volatile long bytes;
    private volatile long cached;
    private Registration registration;

    private void set(Collection<Directive> directives) {
      files = directives.size();
      bytes = directives.stream().mapToLong(Directive::bytes).sum();
      cached = directives.stream().mapToLong(Directive::cachedBytes).sum();
    }
  }

  PinMetrics() {
    SourceBuilder builder =
        Metrics.source("HdfsCachePins", "Store files kept in the memory of DataNodes");
    gauge(builder, "wantedFileCount", "Files of this server to be pinned", Shown::wanted);
    gauge(builder, "pinnedFileCount", "Files of this server that are pinned", Shown::pinned);
    gauge(builder, "pinnedBytes", "Memory that they need", Shown::bytes);
    gauge(builder, "cachedBytes", "Memory that DataNodes have locked for them", Shown::cached);
    gauge(builder, "limitBytes", "Limit of pinned memory of the cluster", Shown::share);
    gauge(builder, "idleCount", "1 while nothing can be pinned, otherwise 0", Shown::idle);
    coordination(
        builder,
        "coordinatorCount",
        "1 on the server that pins for the cluster, otherwise 0",
        Coordination::coordinates);
    coordination(
        builder,
        "reportingServerCount",
        "Servers that report to this one as the coordinator",
        Coordination::servers);
    coordination(
        builder,
        "completeReportCount",
        "1 if all live servers report to this one, otherwise 0",
        Coordination::complete);
    coordination(
        builder,
        "deferredChangeCount",
        "Changes that this coordinator leaves to later rounds",
        Coordination::deferred);
    reportsSent = builder.counter("reportCount", "Reports of heat to the coordinator");
    reportsFailed = builder.counter("failedReportCount", "Of these, failed ones");
    rounds = builder.counter("roundCount", "Rounds as the coordinator");
    failedRounds = builder.counter("failedRoundCount", "Of these, those that failed");
    listingCalls =
        builder.counter("listingCallCount", "Calls to the NameNode that listed the pool");
    renewals = builder.counter("renewalCount", "Leases of directives that were renewed");
    pins = builder.counter("pinCount", "Files pinned");
    unpins = builder.counter("unpinCount", "Files unpinned");
    refused = builder.counter("refusedPinCount", "Files that the NameNode did not pin");
    invalidPolicies =
        builder.counter("invalidPolicyCount", "Tables and families with an unknown policy");
    pinnedOutputs =
        builder.counter(
            "pinnedOutputCount", "Compactions whose output was pinned before its " + "first read");
    impatient =
        builder.counter(
            "compactionWaitTimeoutCount",
            "Compactions that stopped waiting before their " + "output was cached");
    waits =
        builder.histogram(
            "compactionWait",
            Unit.NANOS,
            "Time for which compactions waited until their " + "output was cached");
    registration = builder.register();
    tableSource =
        Metrics.aggregate(
            "HdfsCacheTables", "Pinned files of each table's regions here", NAMESPACE, TABLE);
  }

  private void gauge(
      SourceBuilder builder, String name, String description, ToLongFunction<Shown> figure) {
    builder.gauge(name, description, () -> figure.applyAsLong(shown));
  }

  private void coordination(
      SourceBuilder builder, String name, String description, ToLongFunction<Coordination> figure) {
    builder.gauge(name, description, () -> figure.applyAsLong(coordination));
  }

  void reported(boolean arrived) {
    reportsSent.increment();
    if (!arrived) {
      reportsFailed.increment();
    }
  }

  void listed(long calls) {
    listingCalls.add(calls);
  }

  void renewed() {
    renewals.increment();
  }

  /** Shows the result of a round of the coordinator. */
  void coordinated(PinBoard.Work work) {
    coordination =
        new Coordination(1, work.servers(), work.complete() ? 1 : 0, work.plan().deferred());
  }

  /** Reports that this server is not the coordinator. */
  void notCoordinating() {
    coordination = Coordination.NONE;
  }

  void round() {
    rounds.increment();
  }

  void failed() {
    failedRounds.increment();
  }

  void pinned() {
    pins.increment();
  }

  void unpinned() {
    unpins.increment();
  }

  void refused() {
    refused.increment();
  }

  void invalidPolicy() {
    invalidPolicies.increment();
  }

  void succeeded() {
    pinnedOutputs.increment();
  }

  void waited(long nanos, boolean cached) {
    waits.record(nanos);
    if (!cached) {
      impatient.increment();
    }
  }

  /** Reports that nothing can be pinned. The metrics of files stay. */
  void idle() {
    Shown last = shown;
    shown = new Shown(last.wanted, last.pinned, last.bytes, last.cached, last.share, 1);
  }

  /** Shows the result of a round. */
  void show(PinReport report) {
    Collection<Directive> directives = report.own().values();
    PinPlan next = report.next();
    shown =
        new Shown(
            next.verdicts().stream().filter(verdict -> verdict.reason().wanted()).count(),
            directives.size(),
            directives.stream().mapToLong(Directive::bytes).sum(),
            directives.stream().mapToLong(Directive::cachedBytes).sum(),
            report.share(),
            0);
    showTables(directives);
  }

  private void showTables(Collection<Directive> directives) {
    Map<String, Collection<Directive>> byTable = new HashMap<>();
    for (Directive directive : directives) {
      byTable.computeIfAbsent(table(directive.path()), t -> new ArrayList<>()).add(directive);
    }
    tables
        .entrySet()
        .removeIf(entry -> left(entry.getValue(), byTable.containsKey(entry.getKey())));
    byTable.forEach((table, own) -> tables.computeIfAbsent(table, this::join).set(own));
  }

  private static boolean left(TableShare share, boolean stays) {
    if (!stays) {
      share.registration.close();
    }
    return !stays;
  }

  private TableShare join(String table) {
    TableShare share = new TableShare();
    SourceBuilder builder = tableSource.pseudoSource(table.split("/", 2));
    builder.gauge("pinnedFileCount", "Its files that are pinned", () -> share.files);
    builder.gauge("pinnedBytes", "Memory that they need", () -> share.bytes);
    builder.gauge("cachedBytes", "Memory that DataNodes have locked for it", () -> share.cached);
    share.registration = builder.register();
    return share;
  }

  /** {@code NAMESPACE/TABLE} of {@code .../NAMESPACE/TABLE/REGION/FAMILY/FILE}. */
  private static String table(String path) {
    String[] names = path.split("/");
    return names.length < 5 ? "/" : names[names.length - 5] + "/" + names[names.length - 4];
  }

  /** Removes the sources. */
  @Override
  public void close() {
    registration.close();
    tableSource.close();
  }
}
