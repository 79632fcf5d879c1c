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
 * Warns of a lasting overload: writes arrive at this RegionServer faster than the tier of its store
 * files accepts them. If configured, it throttles them. It also shows the tiers of each table's
 * files. One line in {@code hbase-site.xml} installs it:
 *
 * <pre>{@code
 * hbase.coprocessor.regionserver.classes = org.fastpath.tiered.regionserver.guard.TierGuard
 * }</pre>
 *
 * <p>It uses no hook of requests; an append to a log costs an addition. A failure, also a wrong
 * key, never reaches HBase: it is one error in the log, and the guard is off. {@link OverloadModel}
 * defines an overload, {@link WritePace} the reaction.
 */
public class TierGuard implements RegionServerCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(TierGuard.class);

  /** HBase does not stop the coprocessors that it replaces when its configuration is reloaded. */
  private static final Map<RegionServerServices, GuardService> RUNNING = new ConcurrentHashMap<>();

  private static final FeatureStatus STATUS = HBaseFeatures.TIER_GUARD.status();

  private GuardService service;

  /** Called by HBase. */
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
      LOG.error("The tier guard is off: {}", e.getMessage());
    } catch (IOException | RuntimeException | LinkageError e) {
      STATUS.fallenBack(e.toString());
      LOG.error("The tier guard failed to start and is off", e);
    }
  }

  @SuppressWarnings("rawtypes")
  private static RegionServerServices server(CoprocessorEnvironment environment)
      throws IOException {
    if (((RegionServerCoprocessorEnvironment) environment).getOnlineRegions()
        instanceof RegionServerServices server) {
      return server;
    }
    throw new IOException("this version of HBase does not give access to the RegionServer");
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
