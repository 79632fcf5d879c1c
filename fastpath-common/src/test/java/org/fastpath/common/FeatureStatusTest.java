package org.fastpath.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.fastpath.common.FeatureStatus.State;
import org.junit.jupiter.api.Test;

class FeatureStatusTest {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @Test
  void theBeanHasFiveAttributes() throws JMException {
    FeatureStatus.of("a-module", "seen").fallenBack("a reason\n  in two lines");

    assertThat(attributes("seen"))
        .containsExactly(
            "Feature=seen",
            "Module=a-module",
            "Version=" + JarVersion.VALUE,
            "State=FALLEN_BACK",
            "Reason=a reason   in two lines");
    assertThat(JarVersion.VALUE).matches("\\d+\\.\\d+\\.\\d+.*");
  }

  @Test
  void aLaterStateReplacesAnEarlierOne() throws JMException {
    FeatureStatus status = FeatureStatus.of("a-module", "changing");
    assertThat(status.state()).isEqualTo(State.OFF);

    status.misconfigured("a key is wrong");
    assertThat(attributes("changing")).contains("State=MISCONFIGURED", "Reason=a key is wrong");
    status.active();
    assertThat(attributes("changing")).contains("State=ACTIVE", "Reason=");
    status.off("not asked for");
    assertThat(attributes("changing")).contains("State=OFF", "Reason=not asked for");
    assertThat(status.reason()).isEqualTo("not asked for");
  }

  @Test
  void anotherCopyOfTheClassTakesTheName() throws Exception {
    FeatureStatus.of("a-module", "copied").active();

    Class<?> copy = new Copies().loadClass(FeatureStatus.class.getName());
    Object status =
        copy.getMethod("of", String.class, String.class).invoke(null, "b-module", "copied");
    copy.getMethod("fallenBack", String.class).invoke(status, "of the copy");

    assertThat(copy).isNotSameAs(FeatureStatus.class);
    assertThat(attributes("copied")).contains("Module=b-module", "Reason=of the copy");
  }

  @Test
  void aNameThatCannotBeRegisteredStopsNobody() {
    FeatureStatus status = FeatureStatus.of("a-module", "a,b=c:*");
    status.active();
    assertThat(status.state()).isEqualTo(State.ACTIVE);
  }

  @Test
  void manyThreadsLeaveOneBean() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<Void> publishing =
          () -> {
            for (int i = 0; i < 500; i++) {
              FeatureStatus.of("a-module", "raced").active();
            }
            return null;
          };
      for (Future<Void> done : threads.invokeAll(List.of(publishing, publishing, publishing))) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(attributes("raced")).contains("State=ACTIVE");
    assertThat(SERVER.queryNames(new ObjectName(FeatureStatus.ALL), null))
        .contains(FeatureStatus.name("raced"));
  }

  private static List<String> attributes(String feature) throws JMException {
    String[] names = {"Feature", "Module", "Version", "State", "Reason"};
    return SERVER.getAttributes(FeatureStatus.name(feature), names).asList().stream()
        .map(Attribute::toString)
        .map(text -> text.replace(" = ", "="))
        .toList();
  }

  /** Loads the package's classes once more, as a second jar does. */
  private static final class Copies extends ClassLoader {
    Copies() {
      super(FeatureStatusTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(FeatureStatus.class.getPackageName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? defined(name) : loaded;
    }

    private Class<?> defined(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
