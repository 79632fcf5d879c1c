package org.fastpath.tools.jmx;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that ask web servers of daemons: trust for SSL, a user for SPNEGO. */
public final class WebOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--truststore",
      paramLabel = "FILE",
      description = "Trusted certificates; those of ssl-client.xml by default.")
  private Path trustStore;

  @Option(
      names = "--truststore-password-file",
      paramLabel = "FILE",
      description = "A file with the password of the trust store.")
  private Path passwordFile;

  @Option(
      names = "--principal",
      paramLabel = "NAME",
      description = "The Kerberos user with a keytab; without, the tickets of kinit are used.")
  private String principal;

  @Option(names = "--keytab", paramLabel = "FILE", description = "The user's keytab.")
  private Path keytab;

  /** Returns the user as whom daemons are asked. */
  public Login login() throws IOException {
    if ((principal == null) != (keytab == null)) {
      throw new ParameterException(spec.commandLine(), "--principal and --keytab stand together.");
    }
    return keytab == null ? Login.CALLER : Login.keytab(principal, keytab.toString());
  }

  /**
   * Returns the servers that are trusted.
   *
   * @param directories configuration directories, which may have an {@code ssl-client.xml}
   */
  public Ssl ssl(List<Path> directories) throws IOException, GeneralSecurityException {
    return Ssl.of(directories, trustStore, passwordFile);
  }
}
