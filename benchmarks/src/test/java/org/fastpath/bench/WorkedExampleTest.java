package org.fastpath.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.fastpath.bench.engine.Experiment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The worked example of CONTRIBUTING.md compiles, and is an experiment with the engine's options.
 */
class WorkedExampleTest {
  private static final Pattern FENCE = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
  private static final Pattern CLASS = Pattern.compile("public final class (\\w+)");

  @Test
  void theExampleIsAnExperiment(@TempDir Path directory) throws Exception {
    String page = Files.readString(Path.of("..", "CONTRIBUTING.md"));
    String source = group(FENCE, page);
    String name = group(CLASS, source);
    Path file = Files.writeString(directory.resolve(name + ".java"), source);

    StringWriter errors = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            directory.toString(),
            "-classpath",
            System.getProperty("java.class.path"));
    boolean compiled =
        compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(file)).call();
    assertThat(compiled).as(errors.toString()).isTrue();

    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
      Object example =
          loader
              .loadClass(group(PACKAGE, source) + "." + name)
              .getDeclaredConstructor()
              .newInstance();
      CommandLine command = new CommandLine(example);
      assertThat(example).isInstanceOf(Experiment.class);
      assertThat(command.getCommandName()).isEqualTo("handlers");
      assertThat(command.getCommandSpec().optionsMap().keySet())
          .contains("--out", "--quick", "--rounds", "--warm-up", "--seconds", "--help");
    }
  }

  private static String group(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    assertThat(found.find()).as(pattern.pattern()).isTrue();
    return found.group(1);
  }
}
