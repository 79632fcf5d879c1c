package org.fastpath.zcr.pin;

import com.google.protobuf.Service;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.fastpath.common.FeatureStatus;
import org.fastpath.zcr.status.HBaseFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the most read store files of this RegionServer in the memory of DataNodes. One line in
 * {@code hbase-site.xml} installs it:
 *
 * <pre>{@code
 * hbase.coprocessor.regionserver.classes = org.fastpath.zcr.pin.CachePinning
 * }</pre>
 *
 * <p>It adds no cost to reads, because it uses no hook. A failure, also a wrong key, never reaches
 * HBase: it is one error in the log, and nothing is pinned.
 */
public class CachePinning implements RegionServerCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(CachePinning.class);

  /** The status of pinning. A report that fails or succeeds again changes it. */
  static final FeatureStatus STATUS = HBaseFeatures.PINNING.status();

  private PinService service;
  private volatile RegionServerCoprocessorEnvironment environment;

  /** Called by HBase. */
  public CachePinning() {}

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment started) {
    try {
      environment = (RegionServerCoprocessorEnvironment) started;
      PinOptions options = PinOptions.of(environment.getConfiguration());
      if (!options.enabled()) {
        STATUS.off(PinOptions.ENABLED + " is false");
      } else if (HBaseFeatures.PINNING.usable()) {
        Path root = CommonFSUtils.getRootDir(environment.getConfiguration());
        service = PinService.start(environment, options, hdfs(root), root);
        STATUS.active();
        LOG.info("Store files are pinned by the directives of cache pool {}", options.pool());
      }
    } catch (PinConfigurationException e) {
      STATUS.misconfigured(e.getMessage());
      LOG.error("Pinning is off because the configuration is wrong: {}", e.getMessage());
    } catch (IOException | RuntimeException | LinkageError e) {
      STATUS.fallenBack("no store file is pinned: " + e);
      LOG.error("Pinning failed to start and is off", e);
    }
  }

  private DistributedFileSystem hdfs(Path root) throws IOException {
    Configuration conf = environment.getConfiguration();
    FileSystem fs = root.getFileSystem(conf);
    if (fs instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    throw new PinConfigurationException(
        "hbase.rootdir",
        root.toString(),
        "a directory of HDFS itself, hdfs://…, not of " + fs.getScheme());
  }

  /**
   * Returns the coordinator's endpoint. HBase keeps the first one when it makes coprocessors again.
   */
  @Override
  public Iterable<Service> getServices() {
    return List.of(new PinEndpoint(new Current()));
  }

  /** Passes calls to the running service. */
  private final class Current implements PinEndpoint.Handler {
    @Override
    public byte[] report(byte[] request) throws IOException {
      return running().report(request);
    }

    @Override
    public byte[] succeed(byte[] request) throws IOException {
      return running().succeed(request);
    }

    private PinEndpoint.Handler running() throws IOException {
      RegionServerCoprocessorEnvironment here = environment;
      if (here == null) {
        throw new NotCoordinatorException("this server does not pin", null);
      }
      return PinService.of(here.getServerName())
          .orElseThrow(() -> new NotCoordinatorException("this server does not pin", null))
          .coordination();
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
