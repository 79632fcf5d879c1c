import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Installs the Maven named in {@code maven-wrapper.properties} if it is not there yet and prints its home. Run by {@code
 * mvnw} as a single-file program, so that a machine with nothing but a JDK (no curl, wget or unzip) can build the project.
 */
public final class MavenWrapper {
  private static final int CONNECT_TIMEOUT_MILLIS = 30_000;
  private static final int READ_TIMEOUT_MILLIS = 120_000;

  private MavenWrapper() {}

  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(Path.of(args[0]))) {
      properties.load(in);
    }
    Path home = Path.of(args[1]);
    if (!Files.isDirectory(home)) {
      install(properties, home);
    }
  }

  private static void install(Properties properties, Path home) throws Exception {
    String name = properties.getProperty("artifactId") + "-" + properties.getProperty("version");
    Path parent = home.getParent();
    Files.createDirectories(parent);
    Path work = Files.createTempDirectory(parent, "install");
    try {
      Path zip = work.resolve(name + "-bin.zip");
      download(address(properties, name), zip, properties.getProperty("sha512"));
      unzip(zip, work);
      try {
        Files.move(work.resolve(name), home, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
        // Another build installed the same Maven meanwhile: its copy is as good as ours.
      }
    } finally {
      deleteTree(work);
    }
  }

  /** The group's own domain serves its repository: a groupId is that domain written backwards, as a Java package is. */
  private static URI address(Properties properties, String name) {
    String group = properties.getProperty("groupId");
    List<String> labels = new ArrayList<>(List.of(group.split("\\.")));
    Collections.reverse(labels);
    String mirror = System.getenv("MVNW_REPOURL");
    String repository =
        mirror != null && !mirror.isBlank()
            ? mirror.replaceAll("/+$", "")
            : "https://repo." + String.join(".", labels) + "/maven2";
    return URI.create(
        String.join(
            "/",
            repository,
            group.replace('.', '/'),
            properties.getProperty("artifactId"),
            properties.getProperty("version"),
            name + "-bin.zip"));
  }

  private static void download(URI from, Path to, String sha512) throws Exception {
    System.err.println("mvnw: fetching " + to.getFileName());
    URLConnection connection = from.toURL().openConnection();
    connection.setConnectTimeout(CONNECT_TIMEOUT_MILLIS);
    connection.setReadTimeout(READ_TIMEOUT_MILLIS);
    MessageDigest digest = MessageDigest.getInstance("SHA-512");
    try (InputStream in = connection.getInputStream();
        OutputStream out = Files.newOutputStream(to)) {
      byte[] buffer = new byte[1 << 16];
      for (int n; (n = in.read(buffer)) > 0; ) {
        digest.update(buffer, 0, n);
        out.write(buffer, 0, n);
      }
    }
    String actual = HexFormat.of().formatHex(digest.digest());
    if (!actual.equals(sha512)) {
      throw new IOException(to.getFileName() + " has SHA-512 " + actual + ", expected " + sha512);
    }
  }

  private static void unzip(Path zip, Path into) throws IOException {
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry; (entry = in.getNextEntry()) != null; ) {
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
          throw new IOException("entry outside the archive: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(in, target);
        }
      }
    }
  }

  private static void deleteTree(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }
}
