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
 * An RPC server of HBase's class on a port of the loopback address, with {@link WarmUpReads} as its
 * only service, and its clients. It needs no login, because it serves only the random bytes of
 * {@link WarmUpRegion}. Thread-safe.
 *
 * <p>It has as many handlers as the RegionServer. With two handlers and busy cores, HBase's
 * hand-over of calls loses one in some thousands. A handler may find the queue empty, and a call
 * may arrive before the handler registers as waiting. The call then waits until another call is
 * done.
 */
final class WarmUpServer implements AutoCloseable {
  /** HBase's name for the metrics of an RPC server of neither master nor RegionServer. */
  private static final String METRICS = "IPC,sub=IPC";

  private final RpcServer server;
  private final Configuration conf;
  private final Duration timeout;

  /**
   * Starts the server.
   *
   * @param owner lends its network threads; or null
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
            new SimpleRpcSchedulerFactory().create(conf, new EqualPriority(), null));
    try {
      server.start();
    } catch (RuntimeException | Error e) {
      // The port is open since the construction.
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

  /** Opens a connection like another process. The caller closes it. */
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
   * @param service that sends requests
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

  /** Gives all requests the same priority. */
  private static final class EqualPriority implements PriorityFunction {
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
