package org.fastpath.bench.engine.parts;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A volume that a policy can choose, without other functions. */
public final class StandInVolume {
  private StandInVolume() {}

  /** Creates a volume with the given free space. */
  public static FsVolumeSpi of(LongSupplier available) {
    InvocationHandler answers =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getAvailable" -> available.getAsLong();
              case "getStorageType" -> StorageType.DISK;
              case "getStorageID" -> "DS-" + System.identityHashCode(proxy);
              case "getBaseURI" -> URI.create("file:/stand-in/" + System.identityHashCode(proxy));
              case "isTransientStorage", "isRAMStorage" -> false;
              case "hashCode" -> System.identityHashCode(proxy);
              case "equals" -> proxy == arguments[0];
              case "toString" -> "a stand-in";
              default -> null;
            };
    Class<?>[] types = {FsVolumeSpi.class};
    ClassLoader loader = FsVolumeSpi.class.getClassLoader();
    return (FsVolumeSpi) Proxy.newProxyInstance(loader, types, answers);
  }
}
