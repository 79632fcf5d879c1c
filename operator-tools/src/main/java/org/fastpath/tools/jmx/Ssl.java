package org.fastpath.tools.jmx;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;
import org.apache.hadoop.security.ssl.SSLFactory;

/** Connections by https, set up by Hadoop's own {@code ssl-client.xml} or by a trust store. */
public final class Ssl implements ConnectionConfigurator, AutoCloseable {
  private static final String CLIENT = "ssl-client.xml";

  /** Hadoop searches a file of this name on the class path. It must not exist. */
  private static final String NO_FILE = "hbase-fastpath-doctor-ssl.xml";

  private static final String LOCATION = "ssl.client.truststore.location";
  private static final String PASSWORD = "ssl.client.truststore.password";
  private static final String TYPE = "ssl.client.truststore.type";

  private final SSLFactory factory;

  private Ssl(SSLFactory factory) {
    this.factory = factory;
  }

  /**
   * Reads the trusted certificates.
   *
   * @param directories that may have an {@code ssl-client.xml}; the last one counts
   * @param trustStore overrides these; null for none
   * @param passwordFile the trust store's password in a file; null for none
   */
  public static Ssl of(List<Path> directories, Path trustStore, Path passwordFile)
      throws IOException, GeneralSecurityException {
    Configuration conf = new Configuration(false);
    conf.set(SSLFactory.SSL_CLIENT_CONF_KEY, NO_FILE);
    for (Path directory : directories) {
      Path file = directory.resolve(CLIENT);
      if (Files.isReadable(file)) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
    if (trustStore != null) {
      conf.set(LOCATION, trustStore.toString());
      conf.set(TYPE, type(trustStore));
    }
    if (passwordFile != null) {
      conf.set(PASSWORD, Files.readString(passwordFile).strip());
    }
    SSLFactory factory = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
    factory.init();
    return new Ssl(factory);
  }

  private static String type(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".p12") || name.endsWith(".pfx") ? "pkcs12" : "jks";
  }

  @Override
  public HttpURLConnection configure(HttpURLConnection connection) throws IOException {
    return factory.configure(connection);
  }

  @Override
  public void close() {
    factory.destroy();
  }
}
