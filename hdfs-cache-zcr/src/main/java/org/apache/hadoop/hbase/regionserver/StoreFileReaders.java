package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;

/**
 * Makes readers of store files over readers of HFiles that are not HBase's. They are HBase's class,
 * made by its private constructor, and count the users of the file where the given ones would.
 */
public final class StoreFileReaders {
  private static final Private PRIVATE = Private.find();

  private StoreFileReaders() {}

  /** What {@link StoreFileReader} shows to nobody. */
  private record Private(MethodHandle constructor, VarHandle file) {
    /** Null on a version of HBase that has it otherwise. */
    static Private find() {
      try {
        Lookup lookup =
            MethodHandles.privateLookupIn(StoreFileReader.class, MethodHandles.lookup());
        MethodType arguments =
            MethodType.methodType(
                void.class,
                HFile.Reader.class,
                StoreFileInfo.class,
                ReaderContext.class,
                Configuration.class);
        return new Private(
            lookup.findConstructor(StoreFileReader.class, arguments),
            lookup.findVarHandle(StoreFileReader.class, "storeFileInfo", StoreFileInfo.class));
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }
  }

  /** Whether this version of HBase has what is needed. */
  public static boolean available() {
    return PRIVATE != null;
  }

  /** Whether HBase itself made it, of a whole file. */
  public static boolean isStock(StoreFileReader reader) {
    return reader.getClass() == StoreFileReader.class;
  }

  /** The store's configuration, which has what its table and family say. */
  public static Configuration conf(StoreFileReader reader) {
    return reader.conf;
  }

  /** A reader that takes the place of one that is {@link #isStock}, and reads by another. */
  public static StoreFileReader over(HFile.Reader file, StoreFileReader given) throws IOException {
    StoreFileReader made = make(file, given);
    made.copyFields(given);
    return made;
  }

  private static StoreFileReader make(HFile.Reader file, StoreFileReader given) throws IOException {
    StoreFileInfo info = (StoreFileInfo) PRIVATE.file().get(given);
    try {
      return (StoreFileReader)
          PRIVATE.constructor().invokeExact(file, info, given.getReaderContext(), given.conf);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("a reader of " + given + " could not be made", e);
    }
  }
}
