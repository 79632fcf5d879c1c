package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.fastpath.cluster.JUnit4Methods;

/**
 * The policy that a system property names, with a count of its choices: whether a test of Hadoop's
 * asked it at all.
 */
public final class CountedPolicy implements VolumeChoosingPolicy<FsVolumeSpi>, Configurable {
  static final String CHOICES = "Choices: ";
  static final String POLICY = "counted.policy";

  private static final LongAdder COUNT = new LongAdder();

  private Configuration conf;
  private VolumeChoosingPolicy<FsVolumeSpi> policy;

  /** Runs tests whose DataNodes have this policy. Arguments: those of {@link JUnit4Methods}. */
  public static void main(String[] args) throws ClassNotFoundException {
    HdfsConfiguration.init();
    Configuration.addDefaultResource("upstream-tests-site.xml");
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> System.out.println(CHOICES + COUNT.sum())));
    JUnit4Methods.main(args);
  }

  /** Returns the policy itself. */
  @SuppressWarnings("unchecked")
  static VolumeChoosingPolicy<FsVolumeSpi> policy(Configuration conf) {
    Class<?> type = conf.getClassByNameOrNull(System.getProperty(POLICY));
    return (VolumeChoosingPolicy<FsVolumeSpi>) ReflectionUtils.newInstance(type, conf);
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    policy = policy(conf);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public FsVolumeSpi chooseVolume(List<FsVolumeSpi> volumes, long replicaSize, String storageId)
      throws IOException {
    COUNT.increment();
    return policy.chooseVolume(volumes, replicaSize, storageId);
  }
}
