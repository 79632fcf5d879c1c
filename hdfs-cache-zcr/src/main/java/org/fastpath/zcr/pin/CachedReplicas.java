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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.fastpath.common.FeatureStatus;
import org.fastpath.zcr.status.HBaseFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an HMaster knows of the store files that DataNodes have in locked memory. The NameNode is
 * asked in a thread of its own, once a minute at most and only when somebody wants to know, and
 * nobody waits for it longer than ten seconds. A balancer that gets no answer goes on as if nothing
 * were in locked memory.
 *
 * <p>HBase makes its balancer and cost functions anew when it reads its configuration again, and
 * has one balancer for each group of servers: they share one of these, {@link #of}.
 *
 * <p>Thread-safe.
 */
public final class CachedReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(CachedReplicas.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** That of replicas of one region on one host, the greatest of HBase's. */
  private static final double MOST_MULTIPLIER = 100_000;

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
  private String lastComplaint = "";

  /** Finds out; called by one thread at a time. */
  interface Survey {
    CachedBytes look() throws IOException;
  }

  private record Asked(long began, Future<CachedBytes> answer) {}

  private record Origin(PinOptions options, Path root) {}

  private CachedReplicas(Survey survey) {
    this(survey, System::nanoTime, PATIENCE);
  }

  /** With a clock of nanoseconds, and how long {@link #ask} waits for a survey. */
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

  /** Those of the cache pool that a configuration names; none, and one error, if it is wrong. */
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
      LOG.error("Replicas in locked memory are not looked for: {}", e.getMessage());
    } catch (IOException e) {
      STATUS.fallenBack("replicas in locked memory are not looked for: " + e);
      LOG.error("Replicas in locked memory are not looked for", e);
    }
    return OFF;
  }

  /** A cost function's multiplier; 0, and one error, if it is wrong. */
  public static float multiplier(Configuration conf, String key, float otherwise) {
    try {
      return (float) PinOptions.fraction(conf, key, otherwise, 0, MOST_MULTIPLIER);
    } catch (PinConfigurationException e) {
      LOG.error("Regions are placed without regard to locked memory: {}", e.getMessage());
      return 0;
    }
  }

  /** What is known now, without waiting; it is asked for if that was long ago. */
  public CachedBytes recent() {
    begin();
    return known;
  }

  /** What is true now, or was a minute ago; nothing if the NameNode does not answer. */
  public CachedBytes ask() {
    Asked asked = begin();
    long left = patience.toNanos() - (nanoClock.getAsLong() - asked.began());
    try {
      return asked.answer().get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      metrics.late();
      complain("the NameNode has not answered in " + patience.toSeconds() + " s", null);
    } catch (ExecutionException e) {
      metrics.failed();
      complain(e.getCause().toString(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return CachedBytes.NONE;
  }

  /** Begins a survey if none is under way, and the last one is not of this minute. */
  private synchronized Asked begin() {
    long now = nanoClock.getAsLong();
    boolean due = last == null || last.answer().isDone() && now - last.began() >= PAUSE.toNanos();
    if (due) {
      last = new Asked(now, thread.submit(this::look));
    }
    return last;
  }

  private CachedBytes look() {
    metrics.began();
    try {
      CachedBytes found = survey.look();
      known = found;
      metrics.know(found);
      forgive();
      return found;
    } catch (IOException | RuntimeException | LinkageError e) {
      metrics.failed();
      complain(e.toString(), e);
      return CachedBytes.NONE;
    }
  }

  private synchronized void complain(String complaint, Throwable cause) {
    if (complaint.equals(lastComplaint)) {
      LOG.debug("Replicas in locked memory are not known: {}", complaint);
    } else {
      lastComplaint = complaint;
      LOG.warn(
          "Replicas in locked memory are not known, and regions are placed without regard to them;"
              + " more of the kind are counted only: {}",
          complaint,
          cause);
    }
  }

  private synchronized void forgive() {
    lastComplaint = "";
  }
}
