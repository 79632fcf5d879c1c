package org.fastpath.offheap.inline;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.SimpleRpcScheduler;
import org.apache.hadoop.hbase.monitoring.MonitoredRPCHandler;
import org.apache.hadoop.hbase.monitoring.TaskMonitor;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.InlineRead;
import org.apache.hadoop.hbase.regionserver.InlineRead.Outcome;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.fastpath.offheap.inline.InlineMetrics.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler of HBase's calls that answers gets and short scans of cached rows in the thread that
 * read them from the connection.
 *
 * <p>The way from the event loop to a handler and back wakes two threads. For a few small rows,
 * that costs more than the read. Here the event loop first reads the rows, from memory only and
 * within the limits of {@link InlineOptions}. If that succeeds, it runs the call like a handler.
 * Otherwise the call goes HBase's way, and no metric has counted the attempt.
 *
 * <p>A request is not tried while calls wait in the general queue, because it would overtake them.
 * It is not tried either if it has a priority of its own. Deadlines, quotas, metrics and the slow
 * log are HBase's.
 *
 * <p>The first error that escapes from a call disables inline reads. From then on HBase's rule for
 * errors of handlers holds.
 *
 * <p>Thread-safe.
 */
final class InlineReadScheduler extends SimpleRpcScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(InlineReadScheduler.class);

  /** The status of a thread that serves calls, for the web interface. */
  private static final ThreadLocal<MonitoredRPCHandler> STATUS =
      ThreadLocal.withInitial(
          () -> {
            MonitoredRPCHandler status =
                TaskMonitor.get().createRPCStatus(Thread.currentThread().getName());
            status.pause("Waiting for a call");
            return status;
          });

  private final HRegionServer server;
  private final InlineOptions options;
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean failed;

  /** Creates as many handlers of each kind as HBase's own scheduler. */
  InlineReadScheduler(Configuration conf, PriorityFunction priority, HRegionServer server) {
    super(
        conf,
        conf.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT),
        conf.getInt(
            HConstants.REGION_SERVER_HIGH_PRIORITY_HANDLER_COUNT,
            HConstants.DEFAULT_REGION_SERVER_HIGH_PRIORITY_HANDLER_COUNT),
        conf.getInt(
            HConstants.REGION_SERVER_REPLICATION_HANDLER_COUNT,
            HConstants.DEFAULT_REGION_SERVER_REPLICATION_HANDLER_COUNT),
        conf.getInt(
            HConstants.MASTER_META_TRANSITION_HANDLER_COUNT,
            HConstants.MASTER__META_TRANSITION_HANDLER_COUNT_DEFAULT),
        priority,
        server,
        HConstants.QOS_THRESHOLD);
    this.server = server;
    options = InlineOptions.of(conf);
    InlineMetrics.register();
  }

  @Override
  public boolean dispatch(CallRunner task) {
    RpcCall call = task.getRpcCall();
    Kind kind = kind(call.getParam());
    if (kind == null
        || failed
        || call.getHeader().getPriority() > HConstants.NORMAL_QOS
        || getGeneralQueueLength() > 0
        || !isReady(kind, call.getParam())) {
      return super.dispatch(task);
    }
    answer(kind, task);
    return true;
  }

  private static Kind kind(Message request) {
    if (request instanceof GetRequest) {
      return Kind.GETS;
    }
    return request instanceof ScanRequest ? Kind.SCANS : null;
  }

  private boolean isReady(Kind kind, Message request) {
    Outcome outcome = Outcome.NOT_FOR_US;
    try {
      outcome =
          request instanceof GetRequest get
              ? InlineRead.prepare(server, get, options)
              : InlineRead.prepare(server, (ScanRequest) request, options);
    } catch (RuntimeException | Error e) {
      failed(e);
    }
    switch (outcome) {
      case NOT_IN_MEMORY -> kind.missed();
      case EXCEEDED -> kind.exceeded();
      case READY, NOT_FOR_US -> {}
    }
    return outcome == Outcome.READY;
  }

  /** Runs a call like a handler. */
  private void answer(Kind kind, CallRunner task) {
    running.incrementAndGet();
    try {
      task.setStatus(STATUS.get());
      task.run();
      kind.answered();
    } catch (RuntimeException | Error e) {
      failed(e);
    } finally {
      running.decrementAndGet();
      InlineRead.finish();
    }
  }

  private void failed(Throwable e) {
    failed = true;
    InlineMetrics.failed();
    LOG.error("An inline read ended with an error; from now on handlers answer all calls", e);
  }

  @Override
  public int getActiveRpcHandlerCount() {
    return super.getActiveRpcHandlerCount() + running.get();
  }

  @Override
  public int getActiveGeneralRpcHandlerCount() {
    return super.getActiveGeneralRpcHandlerCount() + running.get();
  }
}
