package org.fastpath.tiered.datanode;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Volumes of HDFS with given answers, and null or 0 for everything else. */
public final class FsVolumes {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private FsVolumes() {}

  /** Returns a volume with so much room, whose operations are not seen. */
  static FsVolumeSpi of(StorageType type, long available) {
    return of(type, new AtomicLong(available), null);
  }

  /** Returns a volume whose room changes, and whose operations go through a provider. */
  public static FsVolumeSpi of(StorageType type, AtomicLong available, FileIoProvider provider) {
    String id = "DS-" + NUMBERS.incrementAndGet();
    return named(id, type, available, provider);
  }

  /** Returns a volume whose operations cannot be asked for, while that is so. */
  static FsVolumeSpi breaking(StorageType type, long available, AtomicBoolean broken) {
    String id = "DS-" + NUMBERS.incrementAndGet();
    return named(
        id,
        type,
        () -> available,
        () -> {
          if (broken.get()) {
            throw new IllegalStateException("no provider");
          }
          return null;
        });
  }

  static FsVolumeSpi named(
      String id, StorageType type, AtomicLong available, FileIoProvider provider) {
    return named(id, type, available::get, () -> provider);
  }

  /** Returns a volume that is asked for its room, which may take long. */
  static FsVolumeSpi asked(StorageType type, LongSupplier available) {
    return named("DS-" + NUMBERS.incrementAndGet(), type, available, () -> null);
  }

  private static FsVolumeSpi named(
      String id, StorageType type, LongSupplier available, Supplier<FileIoProvider> provider) {
    URI base = URI.create("file:///data/" + id);
    return (FsVolumeSpi)
        Proxy.newProxyInstance(
            FsVolumes.class.getClassLoader(),
            new Class<?>[] {FsVolumeSpi.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getStorageType" -> type;
                  case "getStorageID" -> id;
                  case "getBaseURI" -> base;
                  case "getAvailable" -> available.getAsLong();
                  case "getFileIoProvider" -> provider.get();
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "toString" -> id;
                  default ->
                      Map.<Class<?>, Object>of(boolean.class, false, long.class, 0L)
                          .get(method.getReturnType());
                });
  }
}
