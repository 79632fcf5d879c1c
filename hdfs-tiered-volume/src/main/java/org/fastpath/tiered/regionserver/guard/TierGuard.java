package org.fastpath.tiered.regionserver.guard;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.fastpath.common.FeatureStatus;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.status.HBaseFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns when writes come into this RegionServer for longer than a moment faster than the tier of
 * its store files takes them, and slows them down if that is wanted; and shows which tiers the
 * files of each table are on. Put in, and taken out, by one line in {@code hbase-site.xml}:
 *
 * <pre>{@code
 * hbase.coprocessor.regionserver.classes = org.fastpath.tiered.regionserver.guard.TierGuard
 * }</pre>
 *
 * <p>It observes no hook; an append to a log costs an addition. What goes wrong stays here, a wrong
 * key too: that is one error in the log, and nothing is guarded. {@link OverloadModel} says what an
 * overload is, {@link WritePace} how it is answered.
 */
public class TierGuard implements RegionServerCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(TierGuard.class);

  /** HBase does not stop the coprocessors that it replaces when its configuration is reloaded. */
  private static final Map<RegionServerServices, GuardService> RUNNING = new ConcurrentHashMap<>();

  private static final FeatureStatus STATUS = HBaseFeatures.TIER_GUARD.status();

  private GuardService service;

  /** For HBase. */
  public TierGuard() {}

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    try {
      GuardOptions options = GuardOptions.of(environment.getConfiguration());
      if (!options.enabled()) {
        STATUS.off(GuardOptions.ENABLED + " is false");
      } else if (HBaseFeatures.TIER_GUARD.usable()) {
        RegionServerServices server = server(environment);
        close(server, RUNNING.get(server));
        service = GuardService.start(server, options);
        RUNNING.put(server, service);
        STATUS.active();
        LOG.info(
            "Tier guard enabled: it compares the rate of writes with that of flushes: {}", options);
      }
    } catch (InvalidValueException e) {
      STATUS.misconfigured(e.getMessage());
      LOG.error("Tiers are not guarded: {}", e.getMessage());
    } catch (IOException | RuntimeException | LinkageError e) {
      STATUS.fallenBack(e.toString());
      LOG.error("Tiers are not guarded", e);
    }
  }

  @SuppressWarnings("rawtypes")
  private static RegionServerServices server(CoprocessorEnvironment environment)
      throws IOException {
    if (((RegionServerCoprocessorEnvironment) environment).getOnlineRegions()
        instanceof RegionServerServices server) {
      return server;
    }
    throw new IOException("this version of HBase does not say what a RegionServer does");
  }

  private static void close(RegionServerServices server, GuardService service) {
    if (service != null && RUNNING.remove(server, service)) {
      service.close();
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment environment) throws IOException {
    close(server(environment), service);
  }
}
