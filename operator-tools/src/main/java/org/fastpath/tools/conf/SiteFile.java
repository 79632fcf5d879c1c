package org.fastpath.tools.conf;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a configuration file of Hadoop's format, such as {@code hbase-site.xml}.
 *
 * <p>Files that the file includes are read in its place. Entities are not resolved.
 */
public final class SiteFile {
  /** The maximum depth of includes. A file may include itself. */
  private static final int INCLUDES = 8;

  private final Path file;
  private final int depth;
  private final List<SiteProperty> properties = new ArrayList<>();
  private String name;
  private String value;
  private boolean isFinal;
  private int line;

  private SiteFile(Path file, int depth) {
    this.file = file;
    this.depth = depth;
  }

  /** Returns the properties of a file in their order, those that stand there twice included. */
  public static List<SiteProperty> read(Path file) throws IOException {
    return read(file, 0);
  }

  /** Returns the properties of a stream. The path only names their place. */
  public static List<SiteProperty> read(InputStream in, Path place) throws IOException {
    return new SiteFile(place, INCLUDES).parse(in);
  }

  /** Returns the properties of a file whose bytes are given, with those of files it includes. */
  public static List<SiteProperty> read(byte[] bytes, Path file) throws IOException {
    return new SiteFile(file, 0).parse(new ByteArrayInputStream(bytes));
  }

  private static List<SiteProperty> read(Path file, int depth) throws IOException {
    if (depth > INCLUDES) {
      throw new IOException(file + " is included by more than " + INCLUDES + " files in a row");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new SiteFile(file, depth).parse(in);
    }
  }

  private List<SiteProperty> parse(InputStream in) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      while (reader.hasNext()) {
        int event = reader.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          begin(reader);
        } else if (event == XMLStreamConstants.END_ELEMENT) {
          end(reader.getLocalName());
        }
      }
      return properties;
    } catch (XMLStreamException e) {
      throw new IOException(file + " is no XML file: " + firstLine(e), e);
    }
  }

  private void begin(XMLStreamReader reader) throws XMLStreamException, IOException {
    switch (reader.getLocalName()) {
      case "property" -> property(reader);
      case "name" -> {
        line = reader.getLocation().getLineNumber();
        name = text(reader);
      }
      case "value" -> value = text(reader);
      case "final" -> isFinal = text(reader).equals("true");
      case "include" -> include(reader.getAttributeValue(null, "href"));
      default -> {}
    }
  }

  /** A property may hold its parts as attributes, too. */
  private void property(XMLStreamReader reader) {
    line = reader.getLocation().getLineNumber();
    name = reader.getAttributeValue(null, "name");
    value = reader.getAttributeValue(null, "value");
    isFinal = "true".equals(reader.getAttributeValue(null, "final"));
  }

  private void end(String element) {
    if (element.equals("property") && name != null && value != null) {
      properties.add(new SiteProperty(name.trim(), value.trim(), isFinal, file, line));
    }
  }

  private void include(String href) throws IOException {
    if (href != null && depth < INCLUDES) {
      properties.addAll(read(file.resolveSibling(href), depth + 1));
    }
  }

  private static String text(XMLStreamReader reader) throws XMLStreamException {
    return reader.getElementText().trim();
  }

  private static String firstLine(XMLStreamException e) {
    return String.valueOf(e.getMessage()).lines().reduce((a, b) -> a + " " + b).orElse("");
  }
}
