package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Without policies of an operator, the patch behaves as the stock class. */
class BlockStoragePolicySuitePatchTest {
  /** HDFS's own class, from its jar. */
  private static final Class<?> STOCK = new StockLoader().stock();

  private static final class StockLoader extends ClassLoader {
    StockLoader() {
      super(BlockStoragePolicySuite.class.getClassLoader());
    }

    Class<?> stock() {
      String name = BlockStoragePolicySuite.class.getName();
      try (InputStream in = inJar(name.replace('.', '/') + ".class").openStream()) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    private URL inJar(String resource) throws IOException {
      return Collections.list(getParent().getResources(resource)).stream()
          .filter(url -> url.getProtocol().equals("jar"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void theMembersAreTheSame() {
    assertThat(BlockStoragePolicySuite.class).isNotEqualTo(STOCK);
    assertThat(members(BlockStoragePolicySuite.class)).isEqualTo(members(STOCK));
  }

  private static Set<String> members(Class<?> type) {
    Set<String> members = new TreeSet<>();
    Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
        .flatMap(Arrays::stream)
        .filter(member -> !Modifier.isPrivate(member.getModifiers()) && !member.isSynthetic())
        .forEach(member -> members.add(describe(member)));
    return members;
  }

  private static String describe(Member member) {
    String described = Modifier.toString(member.getModifiers()) + " " + member.getName();
    if (member instanceof Field field) {
      return described + ": " + field.getType().getName();
    }
    List<String> parameters =
        Arrays.stream(((Executable) member).getParameterTypes()).map(Class::getName).toList();
    String result =
        member instanceof Constructor<?> ? "" : ((Method) member).getReturnType().getName();
    // The class itself may be loaded twice, its name is one.
    return described + parameters + ": " + result;
  }

  @ParameterizedTest
  @EnumSource(StoragePolicy.class)
  void thePoliciesAreTheSame(StoragePolicy byDefault) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("dfs.storage.default.policy", byDefault.name());
    Object stock = STOCK.getMethod("createDefaultSuite", Configuration.class).invoke(null, conf);
    BlockStoragePolicySuite ours = BlockStoragePolicySuite.createDefaultSuite(conf);
    assertThat(texts(ours.getAllPolicies()))
        .isEqualTo(texts((BlockStoragePolicy[]) STOCK.getMethod("getAllPolicies").invoke(stock)))
        .hasSize(StoragePolicy.values().length);
    assertThat(ours.getDefaultPolicy())
        .isEqualTo(STOCK.getMethod("getDefaultPolicy").invoke(stock))
        .isEqualTo(ours.getPolicy((byte) 0));
    assertThat(ours.getPolicy(byDefault.name().toLowerCase(Locale.ROOT)))
        .isEqualTo(ours.getPolicy(byDefault.value()));
    assertThat(ours.getPolicy("NONE")).isNull();
    assertThat(ours.getPolicy((byte) 3)).isNull();
  }

  private static List<String> texts(BlockStoragePolicy[] policies) {
    return Arrays.stream(policies).map(p -> p + " " + p.isCopyOnCreateFile()).toList();
  }

  @Test
  void theAttributeIsTheSame() throws Exception {
    assertThat(BlockStoragePolicySuite.buildXAttrName())
        .isEqualTo(STOCK.getMethod("buildXAttrName").invoke(null));
    assertThat(BlockStoragePolicySuite.buildXAttr((byte) 9))
        .isEqualTo(STOCK.getMethod("buildXAttr", byte.class).invoke(null, (byte) 9))
        .matches(BlockStoragePolicySuite::isStoragePolicyXAttr);
    assertThat(BlockStoragePolicySuite.getStoragePolicyXAttrPrefixedName())
        .isEqualTo(STOCK.getMethod("getStoragePolicyXAttrPrefixedName").invoke(null));
    assertThat(BlockStoragePolicySuite.isStoragePolicyXAttr(null)).isFalse();
    assertThat(new BlockStoragePolicySuite((byte) 7, null).getAllPolicies()).isEmpty();
  }
}
