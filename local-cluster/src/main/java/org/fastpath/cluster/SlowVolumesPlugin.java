package org.fastpath.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.util.ServicePlugin;

/**
 * Installs {@link SlowVolumes} in the DataNode that loads it ({@code dfs.datanode.plugins}), with
 * the speeds of a {@link DeviceTable}.
 *
 * <p>The hook is a private field of the DataNode's {@link FileIoProvider} without a configuration
 * key, so reflection sets it. The plug-in polls a file. A file needs no port and works even if all
 * threads of the DataNode are stuck.
 */
public final class SlowVolumesPlugin implements ServicePlugin {
  /** The name of {@link SlowVolumesMXBean}. */
  static final String BEAN = "org.fastpath.cluster:type=SlowVolumes";

  /** The key of the file with the table. */
  static final String TABLE = "fastpath.cluster.devices";

  /** The key of the page cache's size in bytes; without it devices serve all reads. */
  static final String PAGE_CACHE = "fastpath.cluster.page-cache-bytes";

  /** The key of the distance behind the writer at which a DataNode drops pages; 8 MB by default. */
  static final String DROP_LAG = "fastpath.cluster.drop-lag-bytes";

  private static final String RECEIVER = "org.apache.hadoop.hdfs.server.datanode.BlockReceiver";
  private static final String LAG = "CACHE_DROP_LAG_BYTES";
  private static final String HOOK = "faultInjectorEventHook";
  private static final long POLL_MILLIS = 20;

  private Path file;
  private String text;
  private SlowVolumes volumes;
  private Thread poller;

  @Override
  public void start(Object service) {
    Configuration conf = ((Configurable) service).getConf();
    file = Path.of(conf.get(TABLE));
    try {
      text = Files.readString(file);
      DeviceTable table = DeviceTable.parse(text);
      Optional<PageCache> pages = pageCache(conf.getLong(PAGE_CACHE, -1));
      volumes = new SlowVolumes(table, pages);
      pages.ifPresent(PageAdvice::install);
      setDropLag(conf.getLong(DROP_LAG, -1));
      install(service);
      show();
      acknowledge(table);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    poller = new Thread(this::poll, "slow-volumes");
    poller.setDaemon(true);
    poller.start();
  }

  private static Optional<PageCache> pageCache(long bytes) {
    return bytes < 0 ? Optional.empty() : Optional.of(new PageCache(bytes));
  }

  /** Sets the distance, for which HDFS has no key. */
  private static void setDropLag(long bytes) {
    if (bytes < 0) {
      return;
    }
    try {
      accessible(Class.forName(RECEIVER), LAG).setLong(null, bytes);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this DataNode does not drop pages behind writers", e);
    }
  }

  private static Field accessible(Class<?> owner, String name) throws NoSuchFieldException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private void install(Object dataNode) {
    try {
      Object provider = dataNode.getClass().getMethod("getFileIoProvider").invoke(dataNode);
      accessible(FileIoProvider.class, HOOK).set(provider, volumes);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this DataNode has no hook for slow volumes", e);
    }
  }

  private void show() {
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(volumes, new ObjectName(BEAN));
    } catch (JMException e) {
      throw new IllegalStateException("this DataNode shows slow volumes already", e);
    }
  }

  private void poll() {
    try {
      while (true) {
        Thread.sleep(POLL_MILLIS);
        refresh();
      }
    } catch (InterruptedException | ClosedByInterruptException e) {
      // The DataNode ends.
    } catch (IOException e) {
      throw new UncheckedIOException("cannot follow " + file, e);
    } finally {
      volumes.release();
    }
  }

  private void refresh() throws IOException {
    String now = Files.readString(file);
    if (!now.equals(text)) {
      text = now;
      DeviceTable table = DeviceTable.parse(now);
      volumes.apply(table);
      acknowledge(table);
    }
  }

  private void acknowledge(DeviceTable table) throws IOException {
    DeviceTable.write(DeviceTable.applied(file), Long.toString(table.revision()));
  }

  /** A DataNode does not end while its threads are stuck. */
  @Override
  public void stop() {
    if (poller != null) {
      poller.interrupt();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
