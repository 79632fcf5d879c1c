package org.fastpath.tools.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvFileTest {
  @TempDir Path directory;

  @Test
  void assignmentsAreExpandedInOrder() throws IOException {
    EnvFile env =
        read(
            "# export A=comment",
            "export A=/opt/x  # the jar",
            "export B=\"$A/lib:${C:-/none}\" D='$A'",
            "A=$A:$HOME_OF_HBASE");
    assertThat(env.value("A")).isEqualTo("/opt/x:/hbase");
    assertThat(env.value("B")).isEqualTo("/opt/x/lib:/none");
    assertThat(env.value("D")).isEqualTo("$A");
    assertThat(env.variable("A").orElseThrow().place()).isEqualTo("hbase-env.sh:4");
  }

  @Test
  void aTextMayDependOnWhetherAVariableIsSet() throws IOException {
    EnvFile env =
        read(
            "A=\"x${A:+:$A}\"",
            "A=\"y${A:+:$A}\"",
            "B=${A:-none}",
            "C=${NONE:+$A}",
            "D=\"/a b/c.jar${HOME_OF_HBASE:+:$HOME_OF_HBASE}\"");
    assertThat(env.value("A")).isEqualTo("y:x");
    assertThat(env.value("B")).isEqualTo("y:x");
    assertThat(env.value("C")).isEmpty();
    assertThat(env.value("D")).isEqualTo("/a b/c.jar:/hbase");
  }

  @Test
  void otherCommandsSetNothing() throws IOException {
    EnvFile env = read("if [ -z \"$X\" ]; then", "  export X=1; export Y=2", "fi", "echo Z=3");
    assertThat(env.value("X")).isEqualTo("1");
    assertThat(env.value("Z")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export X=\"-Xmx31g \\\n  -Da=4g\"",
        "export X=\"-Xmx31g\n-Da=4g\"",
        "export \\\n  X=-Da=4g",
        "X=-Xmx31g\r\nX+=\" -Da=4g\"\r\n",
        ": \"${X:=-Da=4g}\"",
        ": ${X:=-Da=4g}",
        "[ -z \"$X\" ] && export X=-Da=4g",
        "[ -n \"$X\" ] || { X=-Da=4g; }",
        "if [ -z \"$X\" ]; then export X=-Da=4g; fi",
        "case $A in *b*) X=-Da=4g ;; esac",
        "declare -x X='-Da=4g'",
        "# don't\nexport X=-Da=4g # isn't",
        "export A=\"\\\"it's\\\"\" X=-Da=4g"
      })
  void assignmentsOfOtherFormsAreUnderstood(String text) {
    EnvFile env = EnvFile.of(Path.of("hbase-env.sh"), text, Map.of());
    assertThat(env.value("X")).endsWith("-Da=4g").matches("(?s)(-Xmx31g\\s+)?-Da=4g");
    assertThat(env.notUnderstood("X")).isEmpty();
    assertThat(env.notUnderstood("4g")).isEmpty();
  }

  @Test
  void theLineIsThatOfTheFirstWord() throws IOException {
    EnvFile env = read("A=\"1 \\", "2\"", "B=3");
    assertThat(env.value("A")).isEqualTo("1 2");
    assertThat(env.variable("A").orElseThrow().line()).isEqualTo(1);
    assertThat(env.variable("B").orElseThrow().line()).isEqualTo(3);
  }

  @Test
  void aCommandThatIsNotUnderstoodHasItsPlace() throws IOException {
    EnvFile env = read("# eval X=1", "echo X", "if grep -q X f; then", "  eval 'export X=1'", "fi");
    assertThat(env.notUnderstood("X")).contains("hbase-env.sh:4");
    assertThat(env.notUnderstood("Y")).isEmpty();
  }

  @Test
  void aMissingFileSetsNothing() throws IOException {
    EnvFile env = EnvFile.read(directory.resolve("none.sh"), Map.of("GIVEN", "1"));
    assertThat(env.value("GIVEN")).isEqualTo("1");
    assertThat(env.variable("GIVEN")).isEmpty();
  }

  private EnvFile read(String... lines) throws IOException {
    Path file = Files.write(directory.resolve("hbase-env.sh"), java.util.List.of(lines));
    return EnvFile.read(file, Map.of("HOME_OF_HBASE", "/hbase"));
  }
}
