package org.fastpath.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.fastpath.common.guard.ClassSource;
import org.fastpath.common.guard.Guard;
import org.fastpath.common.guard.RecordedJars;
import org.fastpath.common.guard.Reliance;
import org.fastpath.common.guard.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A change of upstream code turns off the features that rely on the code, and no other. */
class GuardTest {
  private static final String SERVER = "org/apache/hadoop/hbase/regionserver/";
  private static final String HFILE = "org/apache/hadoop/hbase/io/hfile/";

  @Test
  void allFeaturesAreOnWithTheCodeTheyWereVerifiedWith() throws IOException {
    Map<String, Verdict> verdicts = verdicts(null);
    assertThat(verdicts).hasSizeGreaterThanOrEqualTo(15);
    assertThat(verdicts.values()).allSatisfy(verdict -> assertThat(verdict.same()).isTrue());
  }

  @ParameterizedTest
  @CsvSource({
    "regionserver/KeyValueHeap, next, lean-scans",
    "io/HalfStoreFileReader, getScanner, offheap-reader",
    "io/hfile/BlockCacheKey, hashCode, cache",
    "io/hfile/HFileBlock$FSReaderImpl, readBlockDataInternal, mapped-blocks",
    "regionserver/HRegion, prepareGet, region-metrics",
    "io/hfile/ChecksumUtil, generateChecksums, checksum-hbase",
  })
  void anAlteredMethodTurnsOffTheFeatureThatReliesOnIt(String name, String method, String feature)
      throws IOException {
    String owner = "org/apache/hadoop/hbase/" + name;
    Map<String, Verdict> off = off(owner, new Altering(method));
    assertThat(off).containsOnlyKeys(feature);
    assertThat(off.get(feature).links()).isTrue();
    assertThat(off.get(feature).differences())
        .startsWith(owner.replace('/', '.') + "#" + method + " differs from the verified code");
  }

  @ParameterizedTest
  @CsvSource({
    "regionserver/HRegion, close",
    "regionserver/HStore, replaceStoreFiles",
    "regionserver/StoreScanner, trySkipToNextColumn",
    "io/hfile/HFileReaderImpl, getMetaBlock",
    "io/hfile/CacheConfig, toString",
  })
  void anAlteredMethodThatNobodyReliesOnTurnsOffNothing(String name, String method)
      throws IOException {
    assertThat(off("org/apache/hadoop/hbase/" + name, new Altering(method))).isEmpty();
  }

  @Test
  void aMemberThatIsGoneTurnsOffTheFeatureThatUsesIt() throws IOException {
    Map<String, Verdict> off = off(SERVER + "HRegionServer", new Removing("blockCache"));
    assertThat(off).containsOnlyKeys("cache");
    assertThat(off.get("cache").links()).isFalse();
    assertThat(off.get("cache").differences())
        .isEqualTo("org.apache.hadoop.hbase.regionserver.HRegionServer#blockCache is missing");
  }

  @Test
  void aMethodThatIsGoneTurnsOffTheFeaturesThatCallIt() throws IOException {
    assertThat(off(SERVER + "StoreFileReader", new Removing("copyFields")))
        .hasEntrySatisfying("mapped-blocks", verdict -> assertThat(verdict.links()).isFalse());
  }

  @Test
  void aNewAbstractMethodTurnsOffTheFeatureThatImplementsTheInterface() throws IOException {
    Map<String, Verdict> off = off(HFILE + "BlockCache", new Adding("evictEverything"));
    assertThat(off).containsKey("cache");
    assertThat(off.get("cache").differences())
        .contains("#evictEverything is abstract and has no implementation of ours");
  }

  /** Compares everything with the primary versions, in which one class is another. */
  private static Map<String, Verdict> off(String owner, Change change) throws IOException {
    Map<String, Verdict> off = new TreeMap<>();
    verdicts(new Changed(owner, change))
        .forEach(
            (feature, verdict) -> {
              if (!verdict.same()) {
                off.put(feature, verdict);
              }
            });
    return off;
  }

  private record Changed(String owner, Change change) {}

  private static Map<String, Verdict> verdicts(Changed changed) throws IOException {
    Map<String, Verdict> verdicts = new TreeMap<>();
    try (RecordedJars jars = Guards.jars(Guards.HBASE, Guards.HADOOP)) {
      ClassSource source = name -> bytes(jars, name, changed);
      for (Map.Entry<String, Reliance> feature : Guards.features().entrySet()) {
        verdicts.put(feature.getKey(), Guard.check(feature.getValue(), source));
      }
    }
    return verdicts;
  }

  private static byte[] bytes(RecordedJars jars, String name, Changed changed) {
    byte[] bytes = Guards.find(jars, name);
    if (changed == null || !name.equals(changed.owner)) {
      return bytes;
    }
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes).accept(changed.change.of(writer), 0);
    return writer.toByteArray();
  }

  /** A change of a class. */
  private interface Change {
    ClassVisitor of(ClassVisitor next);
  }

  /** Puts an instruction that does nothing in front of the methods of a name. */
  private record Altering(String method) implements Change {
    @Override
    public ClassVisitor of(ClassVisitor next) {
      return new ClassVisitor(Opcodes.ASM9, next) {
        @Override
        public MethodVisitor visitMethod(
            int access, String name, String descriptor, String generics, String[] exceptions) {
          MethodVisitor inner = super.visitMethod(access, name, descriptor, generics, exceptions);
          return name.equals(method) ? longer(inner) : inner;
        }
      };
    }

    private static MethodVisitor longer(MethodVisitor next) {
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          super.visitInsn(Opcodes.NOP);
        }
      };
    }
  }

  /** Takes the fields and methods of a name away. */
  private record Removing(String member) implements Change {
    @Override
    public ClassVisitor of(ClassVisitor next) {
      return new ClassVisitor(Opcodes.ASM9, next) {
        @Override
        public MethodVisitor visitMethod(
            int access, String name, String descriptor, String generics, String[] exceptions) {
          return name.equals(member)
              ? null
              : super.visitMethod(access, name, descriptor, generics, exceptions);
        }

        @Override
        public org.objectweb.asm.FieldVisitor visitField(
            int access, String name, String descriptor, String generics, Object value) {
          return name.equals(member)
              ? null
              : super.visitField(access, name, descriptor, generics, value);
        }
      };
    }
  }

  /** Adds an abstract method. */
  private record Adding(String method) implements Change {
    @Override
    public ClassVisitor of(ClassVisitor next) {
      return new ClassVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitEnd() {
          super.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, method, "()V", null, null)
              .visitEnd();
          super.visitEnd();
        }
      };
    }
  }
}
