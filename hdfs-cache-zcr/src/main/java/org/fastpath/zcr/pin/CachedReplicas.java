package org.fastpath.zcr.pin;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.fastpath.common.FeatureStatus;
import org.fastpath.zcr.status.HBaseFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HMaster's knowledge of the store files in locked memory. A separate thread asks the NameNode,
 * at most once a minute and only on demand. A caller waits at most ten seconds. A balancer without
 * an answer goes on as if nothing were in locked memory.
 *
 * <p>HBase makes new balancers and cost functions when it reloads its configuration, and one
 * balancer for each group of servers. They share one object, see {@link #of}.
 *
 * <p>Thread-safe.
 */
public final class CachedReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(CachedReplicas.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The maximum of HBase's own multipliers, that of replicas of one region on one host. */
  private static final double MAX_MULTIPLIER = 100_000;

  private static final CachedReplicas OFF = new CachedReplicas(() -> CachedBytes.NONE);

  private static final FeatureStatus STATUS = HBaseFeatures.BALANCER.status();

  private static Origin sharedOrigin;
  private static CachedReplicas shared;

  private final Survey survey;
  private final LongSupplier nanoClock;
  private final Duration patience;
  private final CachedReplicaMetrics metrics = CachedReplicaMetrics.shared();
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), CachedReplicas::newThread);
  private volatile CachedBytes known = CachedBytes.NONE;
  private Asked last;
  private String lastFailure = "";

  /** Asks the NameNode. Only one thread at a time calls it. */
  interface Survey {
    CachedBytes run() throws IOException;
  }

  private record Asked(long began, Future<CachedBytes> answer) {}

  private record Origin(PinOptions options, Path root) {}

  private CachedReplicas(Survey survey) {
    this(survey, System::nanoTime, PATIENCE);
  }

  /** Makes it with a clock of nanoseconds and the maximum wait of {@link #ask}. */
  CachedReplicas(Survey survey, LongSupplier nanoClock, Duration patience) {
    this.survey = survey;
    this.nanoClock = nanoClock;
    this.patience = patience;
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "fastpath-cached-replicas");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Returns the replicas of the configured cache pool. If the configuration is wrong, logs one
   * error and returns none.
   */
  public static synchronized CachedReplicas of(Configuration conf) {
    try {
      Origin origin = new Origin(PinOptions.of(conf), CommonFSUtils.getRootDir(conf));
      if (!origin.options().enabled()) {
        STATUS.off(PinOptions.ENABLED + " is false");
        return OFF;
      }
      if (!HBaseFeatures.BALANCER.usable()) {
        return OFF;
      }
      if (!origin.equals(sharedOrigin)) {
        shared = new CachedReplicas(new ReplicaSurvey(conf, origin.root(), origin.options()));
        sharedOrigin = origin;
      }
      STATUS.active();
      return shared;
    } catch (PinConfigurationException e) {
      STATUS.misconfigured(e.getMessage());
      LOG.error(
          "The balancer ignores locked memory because the configuration is wrong: {}",
          e.getMessage());
    } catch (IOException e) {
      STATUS.fallenBack("the balancer ignores locked memory: " + e);
      LOG.error("The balancer ignores locked memory because the survey failed to start", e);
    }
    return OFF;
  }

  /** Returns a cost function's multiplier. If it is wrong, logs one error and returns 0. */
  public static float multiplier(Configuration conf, String key, float otherwise) {
    try {
      return (float) PinOptions.fraction(conf, key, otherwise, 0, MAX_MULTIPLIER);
    } catch (PinConfigurationException e) {
      LOG.error("Regions are placed without regard to locked memory: {}", e.getMessage());
      return 0;
    }
  }

  /** Returns the known state without waiting. Begins a survey if the state is old. */
  public CachedBytes recent() {
    begin();
    return known;
  }

  /**
   * Returns an improved choice, or the given one if that fails. A failure is counted, and the first
   * one is logged. A lack of threads or memory is such a failure too.
   */
  public <T> T orElse(T choice, Supplier<T> improved) {
    try {
      return improved.get();
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      metrics.failed();
      logFailure(e.toString(), e);
      return choice;
    }
  }

  /** Returns a state that is at most a minute old; empty if the NameNode does not answer. */
  public CachedBytes ask() {
    Asked asked = begin();
    long left = patience.toNanos() - (nanoClock.getAsLong() - asked.began());
    try {
      return asked.answer().get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      metrics.late();
      logFailure("the NameNode has not answered in " + patience.toSeconds() + " s", null);
    } catch (ExecutionException e) {
      metrics.failed();
      logFailure(e.getCause().toString(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return CachedBytes.NONE;
  }

  /** Begins a survey if none is in progress and the last one is older than a minute. */
  private synchronized Asked begin() {
    long now = nanoClock.getAsLong();
    boolean due = last == null || last.answer().isDone() && now - last.began() >= PAUSE.toNanos();
    if (due) {
      last = new Asked(now, thread.submit(this::survey));
    }
    return last;
  }

  private CachedBytes survey() {
    metrics.began();
    try {
      CachedBytes found = survey.run();
      known = found;
      metrics.know(found);
      succeeded();
      return found;
    } catch (IOException | RuntimeException | LinkageError e) {
      metrics.failed();
      logFailure(e.toString(), e);
      return CachedBytes.NONE;
    }
  }

  private synchronized void logFailure(String corruption, Throwable cause) {
    if (corruption.equals(lastFailure)) {
      LOG.debug("The survey of replicas in locked memory failed: {}", corruption);
    } else {
      lastFailure = corruption;
      LOG.warn(
          "The survey of replicas in locked memory failed, so regions are placed without "
              + "regard to them; further cases are only counted: {}",
          corruption,
          cause);
    }
  }

  private synchronized void succeeded() {
    lastFailure = "";
  }
}
