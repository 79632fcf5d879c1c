package org.fastpath.tools.jmx;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLHandshakeException;
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

  private final Configuration conf;
  private SSLFactory factory;

  private Ssl(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Names the trusted certificates. Those of an {@code ssl-client.xml} are read for the first
   * connection by https, since no daemon may use it.
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
    Ssl ssl = new Ssl(conf);
    if (trustStore != null) {
      ssl.factory();
    }
    return ssl;
  }

  private synchronized SSLFactory factory() throws IOException, GeneralSecurityException {
    if (factory == null) {
      SSLFactory made = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
      made.init();
      factory = made;
    }
    return factory;
  }

  private static String type(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".p12") || name.endsWith(".pfx") ? "pkcs12" : "jks";
  }

  @Override
  public HttpURLConnection configure(HttpURLConnection connection) throws IOException {
    return connection instanceof HttpsURLConnection
        ? readFactory().configure(connection)
        : connection;
  }

  private SSLFactory readFactory() throws IOException {
    try {
      return factory();
    } catch (IOException | GeneralSecurityException e) {
      var failure = new SSLHandshakeException("the trust store cannot be read: " + e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  @Override
  public synchronized void close() {
    if (factory != null) {
      factory.destroy();
    }
  }
}
