package org.fastpath.zcr.warmup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.ipc.RpcServer.BlockingServiceAndInterface;
import org.apache.hadoop.hbase.ipc.RpcServerFactory;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * An RPC server of HBase's own kind on a port of the loopback address, which has {@link
 * WarmUpReads} and nothing else, and its clients. Nobody has to log in: all that it tells are the
 * random bytes of {@link WarmUpRegion}. Safe from any thread.
 *
 * <p>It has as many handlers as the RegionServer. With two, and the cores busy, HBase's hand-over
 * of calls loses one in some thousands: a handler that found the queue empty and has not yet put
 * itself on the stack of those that wait misses a call that is queued in between, and it stays
 * there until another call is done.
 */
final class WarmUpServer implements AutoCloseable {
  /** By which HBase calls the metrics of an RPC server that is neither's, master or region. */
  private static final String METRICS = "IPC,sub=IPC";

  private final RpcServer server;
  private final Configuration conf;
  private final Duration timeout;

  /**
   * Starts it.
   *
   * @param owner whose threads it has for the network, or null
   * @param timeout of requests
   */
  WarmUpServer(List<WarmUpRegion> regions, Server owner, Configuration ownersConf, Duration timeout)
      throws IOException {
    this.timeout = timeout;
    conf = conf(ownersConf);
    server =
        RpcServerFactory.createRpcServer(
            owner,
            "hbase-fastpath-warm-up",
            List.of(
                new BlockingServiceAndInterface(
                    ClientService.newReflectiveBlockingService(WarmUpReads.of(regions)),
                    ClientService.BlockingInterface.class)),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            conf,
            new SimpleRpcSchedulerFactory().create(conf, new Alike(), null));
    try {
      server.start();
    } catch (RuntimeException | Error e) {
      // It has had its port since it was made.
      close();
      throw e;
    }
  }

  private static Configuration conf(Configuration owners) {
    Configuration conf = new Configuration(owners);
    conf.set(User.HBASE_SECURITY_CONF_KEY, "simple");
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false);
    conf.setBoolean("hbase.server.netty.tls.enabled", false);
    conf.setBoolean("hbase.client.netty.tls.enabled", false);
    return conf;
  }

  /** A connection to it, as from another process, which the caller closes. */
  Connection connect() throws IOException {
    RpcClient client = RpcClientFactory.createClient(conf, HConstants.CLUSTER_ID_DEFAULT);
    InetSocketAddress address = server.getListenerAddress();
    ServerName name =
        ServerName.valueOf(address.getAddress().getHostAddress(), address.getPort(), 1);
    return new Connection(
        client,
        ClientService.newBlockingStub(
            client.createBlockingRpcChannel(
                name, User.getCurrent(), Math.toIntExact(timeout.toMillis()))));
  }

  /**
   * A connection.
   *
   * @param client that has it open
   * @param service by which the server is asked
   */
  record Connection(RpcClient client, ClientService.BlockingInterface service)
      implements AutoCloseable {
    @Override
    public void close() {
      client.close();
    }
  }

  @Override
  public void close() {
    server.stop();
    DefaultMetricsSystem.instance().unregisterSource(METRICS);
  }

  /** Requests that are all alike. */
  private static final class Alike implements PriorityFunction {
    @Override
    public int getPriority(RequestHeader header, Message request, User user) {
      return HConstants.NORMAL_QOS;
    }

    @Override
    public long getDeadline(RequestHeader header, Message request) {
      return 0;
    }
  }
}
