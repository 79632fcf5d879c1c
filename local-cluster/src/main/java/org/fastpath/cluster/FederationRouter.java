package org.fastpath.cluster;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.federation.router.Router;

/**
 * A router of a federation in this JVM, before one NameNode: its default name service. Needs {@code
 * hadoop-hdfs-rbf} on the class path.
 */
public final class FederationRouter implements AutoCloseable {
  private static final String PREFIX = "dfs.federation.router.";
  private static final String NAME_SERVICE = "ns0";

  private final Router router = new Router();

  private FederationRouter() {}

  /** Starts a router with its records in a directory. */
  public static FederationRouter start(URI nameNode, Path records) {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", nameNode.toString());
    conf.set("dfs.nameservices", NAME_SERVICE);
    conf.set("dfs.namenode.rpc-address." + NAME_SERVICE, nameNode.getAuthority());
    conf.set(PREFIX + "default.nameserviceId", NAME_SERVICE);
    conf.set(PREFIX + "monitor.namenode", NAME_SERVICE);
    conf.set(PREFIX + "rpc-address", "127.0.0.1:0");
    conf.set(PREFIX + "heartbeat.interval", "500");
    conf.set(PREFIX + "cache.ttl", "500ms");
    for (String part :
        new String[] {"admin", "http", "metrics", "safemode", "monitor.localnamenode"}) {
      conf.setBoolean(PREFIX + part + ".enable", false);
    }
    conf.set(
        PREFIX + "store.driver.class",
        "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
    conf.set(PREFIX + "store.driver.file.directory", records.toString());
    FederationRouter started = new FederationRouter();
    started.router.init(conf);
    started.router.start();
    return started;
  }

  /** Returns the URI that clients use in place of the NameNode's. */
  public URI uri() {
    InetSocketAddress address = router.getRpcServerAddress();
    return URI.create("hdfs://127.0.0.1:" + address.getPort());
  }

  @Override
  public void close() {
    router.stop();
  }
}
