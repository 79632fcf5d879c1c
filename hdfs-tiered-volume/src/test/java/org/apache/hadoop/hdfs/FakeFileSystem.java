package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.fastpath.tiered.FakeNameNode;

/** HDFS's own client of a {@link FakeNameNode}; in this package because the client's field is. */
public final class FakeFileSystem extends DistributedFileSystem {
  private static final Map<String, FakeNameNode> NAME_NODES = new ConcurrentHashMap<>();

  private URI uri;

  /** Made by Hadoop. */
  public FakeFileSystem() {}

  /** Returns the configuration of a client. */
  public static Configuration conf(String name, FakeNameNode nameNode) {
    NAME_NODES.put(name, nameNode);
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.hdfs.impl", FakeFileSystem.class.getName());
    conf.set("fs.defaultFS", "hdfs://" + name);
    conf.set("hbase.rootdir", "hdfs://" + name + "/hbase");
    return conf;
  }

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    uri = URI.create("hdfs://" + name.getAuthority());
    setConf(conf);
    statistics = FileSystem.getStatistics("hdfs", DistributedFileSystem.class);
    dfs = new DFSClient(null, NAME_NODES.get(name.getAuthority()).protocol(), conf, statistics);
    try {
      Field field = DistributedFileSystem.class.getDeclaredField("storageStatistics");
      field.setAccessible(true);
      field.set(this, new DFSOpsCountStatistics());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path("/");
  }
}
