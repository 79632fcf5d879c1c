package org.fastpath.bench.engine.parts;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A volume that a policy can choose, without other functions. */
public final class StandInVolume {
  private StandInVolume() {}

  /** Creates a volume with the given free space. */
  public static FsVolumeSpi of(LongSupplier available) {
    Object id = new Object();
    Map<String, Supplier<Object>> answers =
        Map.of(
            "getAvailable", available::getAsLong,
            "getStorageType", () -> StorageType.DISK,
            "getStorageID", () -> "DS-" + System.identityHashCode(id),
            "getBaseURI", () -> URI.create("file:/stand-in/" + System.identityHashCode(id)),
            "isTransientStorage", () -> false,
            "isRAMStorage", () -> false,
            "hashCode", () -> System.identityHashCode(id),
            "toString", () -> "a stand-in");
    return (FsVolumeSpi)
        Proxy.newProxyInstance(
            FsVolumeSpi.class.getClassLoader(),
            new Class<?>[] {FsVolumeSpi.class},
            (proxy, method, arguments) ->
                method.getName().equals("equals")
                    ? (Object) (proxy == arguments[0])
                    : answers.containsKey(method.getName())
                        ? answers.get(method.getName()).get()
                        : null);
  }
}
