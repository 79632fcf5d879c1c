package org.fastpath.checksum;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in JMX, and so at {@code /jmx}, which provider is in use and whether the patches are
 * active.
 */
final class ChecksumStatus {
  private static final Logger LOG = LoggerFactory.getLogger(ChecksumStatus.class);
  static final String NAME = "org.fastpath:type=Checksum";

  private ChecksumStatus() {}

  /** What the bean shows. */
  public interface View {
    String getCrc32Provider();

    String getCrc32cProvider();

    boolean isHadoopVerified();

    boolean isLibhadoopLoaded();
  }

  private record Values(String crc32, String crc32c, boolean verified, boolean libhadoop)
      implements View {
    @Override
    public String getCrc32Provider() {
      return crc32;
    }

    @Override
    public String getCrc32cProvider() {
      return crc32c;
    }

    @Override
    public boolean isHadoopVerified() {
      return verified;
    }

    @Override
    public boolean isLibhadoopLoaded() {
      return libhadoop;
    }
  }

  static void register(ChunkedCrc crc32, ChunkedCrc crc32c, boolean verified, boolean libhadoop) {
    View view = new Values(crc32.provider(), crc32c.provider(), verified, libhadoop);
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new StandardMBean(view, View.class), new ObjectName(NAME));
    } catch (JMException | RuntimeException e) {
      LOG.warn("Checksums: no bean {}", NAME, e);
    }
  }
}
