package org.fastpath.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A KDC in this JVM, with the principals of a cluster's daemons and some users. Needs {@code
 * hadoop-minikdc} on the class path. Until it is closed, this JVM's Kerberos and Hadoop's login use
 * it, so there is one at a time.
 */
public final class Kdc implements AutoCloseable {
  private final MiniKdc kdc;
  private final File keytab;

  private Kdc(MiniKdc kdc, File keytab) {
    this.kdc = kdc;
    this.keytab = keytab;
  }

  /** Starts a KDC with its files in a directory. */
  public static Kdc start(Path directory, String... users) throws Exception {
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), directory.resolve("kdc").toFile());
    kdc.start();
    File keytab = directory.resolve("all.keytab").toFile();
    kdc.createPrincipal(
        keytab, Stream.of(Kerberos.PRINCIPALS, users).flatMap(Stream::of).toArray(String[]::new));
    return new Kdc(kdc, keytab);
  }

  /** Returns the description for a cluster. */
  public Kerberos kerberos() {
    return new Kerberos(kdc.getRealm(), kdc.getKrb5conf().toPath(), keytab.toPath());
  }

  /** Makes this JVM a user of a secure cluster. */
  public void become(String principal, Configuration conf) throws Exception {
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(kerberos().principal(principal), keytab.getPath());
  }

  /**
   * Makes this JVM the superuser of HDFS, which makes HBase's root directory for HBase's user.
   *
   * @param client configuration of a client of the cluster
   * @return the file system of the superuser, which the caller closes
   */
  public DistributedFileSystem makeHBaseRoot(Map<String, String> client) throws IOException {
    Configuration conf = new HdfsConfiguration();
    client.forEach(conf::set);
    try {
      become(Kerberos.PRINCIPALS[0], conf);
    } catch (Exception e) {
      throw new IOException(e);
    }
    DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf);
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/hbase");
    fs.mkdirs(root);
    fs.setOwner(root, "hbase", "hbase");
    return fs;
  }

  /** Logs in another user for {@link UserGroupInformation#doAs}. */
  public UserGroupInformation login(String principal) throws Exception {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        kerberos().principal(principal), keytab.getPath());
  }

  @Override
  public void close() {
    kdc.stop();
    UserGroupInformation.reset();
  }
}
