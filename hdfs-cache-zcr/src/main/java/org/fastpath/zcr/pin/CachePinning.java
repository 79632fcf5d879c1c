package org.fastpath.zcr.pin;

import java.io.IOException;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.fastpath.common.FeatureStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the store files of this RegionServer that deserve it in the memory of DataNodes. Put in,
 * and taken out, by one line in {@code hbase-site.xml}:
 *
 * <pre>{@code
 * hbase.coprocessor.regionserver.classes = org.fastpath.zcr.pin.CachePinning
 * }</pre>
 *
 * <p>It costs reads nothing: it observes no hook. What goes wrong stays here, a wrong key too: that
 * is one error in the log, and nothing is pinned.
 */
public class CachePinning implements RegionServerCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(CachePinning.class);

  /** Whether store files are pinned. A round that fails, or works again, changes it. */
  static final FeatureStatus STATUS = FeatureStatus.of("hdfs-cache-zcr", "pinning");

  private PinService service;

  /** For HBase. */
  public CachePinning() {}

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    try {
      PinOptions options = PinOptions.of(environment.getConfiguration());
      if (options.enabled()) {
        service = PinService.start((RegionServerCoprocessorEnvironment) environment, options);
        STATUS.active();
        LOG.info("Store files are pinned by the directives of cache pool {}", options.pool());
      } else {
        STATUS.off(PinOptions.ENABLED + " is false");
      }
    } catch (PinConfigurationException e) {
      STATUS.misconfigured(e.getMessage());
      LOG.error("No store file will be pinned: {}", e.getMessage());
    } catch (IOException | RuntimeException | LinkageError e) {
      STATUS.fallenBack(e.toString());
      LOG.error("No store file will be pinned", e);
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment environment) {
    if (service != null) {
      service.close();
    }
  }
}
