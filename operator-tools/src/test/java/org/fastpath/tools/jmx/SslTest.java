package org.fastpath.tools.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SslTest {
  @TempDir private Path directory;

  @Test
  void aTrustStoreThatCannotBeReadFailsAtTheFirstConnectionByHttps() throws Exception {
    Files.writeString(
        directory.resolve("ssl-client.xml"),
        "<configuration><property><name>ssl.client.truststore.location</name><value>"
            + directory.resolve("missing.jks")
            + "</value></property></configuration>");
    try (Ssl ssl = Ssl.of(List.of(directory), null, null)) {
      HttpURLConnection plain = connection("http://localhost:1/");
      assertThat(ssl.configure(plain)).isSameAs(plain);
      assertThatThrownBy(() -> ssl.configure(connection("https://localhost:1/")))
          .isInstanceOf(SSLHandshakeException.class)
          .hasMessageContaining("missing.jks");
    }
  }

  @Test
  void aTrustStoreThatIsGivenFailsAtOnce() {
    Path missing = directory.resolve("missing.jks");
    assertThatThrownBy(() -> Ssl.of(List.of(), missing, null)).isInstanceOf(IOException.class);
  }

  private static HttpURLConnection connection(String address) throws IOException {
    return (HttpURLConnection) URI.create(address).toURL().openConnection();
  }
}
