package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.fastpath.tiered.regionserver.HBaseClasses.Member;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Every member that our classes call, override or reach by reflection exists in each supported
 * version of HBase.
 */
class OtherVersionsTest {
  private static final Path CLASSES = Path.of("target", "classes");
  private static final Path UPSTREAM = Path.of("target", "upstream");
  private static final String OURS = "org/fastpath/tiered/regionserver/";
  private static final String STORES = "org/apache/hadoop/hbase/regionserver/";
  private static final String TRACKER = STORES + "storefiletracker/StoreFileTracker";

  @ParameterizedTest
  @ValueSource(strings = {"2.6.4-hadoop3", "2.6.1-hadoop3", "2.5.13-hadoop3"})
  void whatIsCalledIsThere(String version) throws IOException {
    int calls = 0;
    try (HBaseClasses hbase = new HBaseClasses(UPSTREAM, version)) {
      for (Path file : ours()) {
        String from = HBaseClasses.packageOf(CLASSES.relativize(file).toString());
        List<Member> called = new ArrayList<>();
        read(file, called::add);
        called.removeIf(member -> !member.isOfHBase() || isOurs(member));
        for (Member member : called) {
          assertThat(hbase.has(member, from)).as("%s has %s", version, member).isTrue();
        }
        calls += called.size();
      }
    }
    assertThat(calls).isGreaterThan(50);
  }

  private static boolean isOurs(Member member) {
    return Files.exists(CLASSES.resolve(member.owner() + ".class"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.6.4-hadoop3", "2.6.1-hadoop3", "2.5.13-hadoop3"})
  void whatIsReachedIntoIsThere(String version) throws IOException {
    try (HBaseClasses hbase = new HBaseClasses(UPSTREAM, version)) {
      assertThat(
              Stream.of(
                  new Member(STORES + "StoreEngine", "storeFileTracker L" + TRACKER + ";"),
                  new Member(STORES + "HStore", "storeContext L" + STORES + "StoreContext;"),
                  new Member(
                      TRACKER,
                      "createWriter(L"
                          + STORES
                          + "CreateStoreFileWriterParams;)L"
                          + STORES
                          + "StoreFileWriter;")))
          .allSatisfy(member -> assertThat(hbase.declares(member)).as(member.toString()).isTrue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.6.4-hadoop3", "2.6.1-hadoop3", "2.5.13-hadoop3"})
  void whatIsOverriddenIsThere(String version) throws IOException {
    try (HBaseClasses hbase = new HBaseClasses(UPSTREAM, version)) {
      for (String name :
          List.of(
              OURS + "TieredStores",
              OURS + "TierRulesChecker",
              OURS + "PlacingFileSystem",
              STORES + "PlacedRegionFileSystem")) {
        HBaseClasses.Shape own = HBaseClasses.read(CLASSES.resolve(name + ".class"));
        assertThat(own.overriding()).isNotEmpty();
        for (String method : own.overriding()) {
          boolean there = false;
          for (String parent : own.parents()) {
            there |= hbase.has(new Member(parent, method), HBaseClasses.packageOf(name));
          }
          assertThat(there).as("%s has what %s.%s overrides", version, name, method).isTrue();
        }
      }
    }
  }

  private static List<Path> ours() throws IOException {
    try (Stream<Path> own = Files.list(CLASSES.resolve(OURS));
        Stream<Path> among = Files.list(CLASSES.resolve(STORES))) {
      return Stream.concat(own, among).filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  private static void read(Path file, Consumer<Member> called) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      new ClassReader(in)
          .accept(
              new ClassVisitor(Opcodes.ASM9) {
                @Override
                public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String generics, String[] thrown) {
                  return new Calls(called);
                }
              },
              ClassReader.SKIP_DEBUG);
    }
  }

  private static final class Calls extends MethodVisitor {
    private final Consumer<Member> called;

    Calls(Consumer<Member> called) {
      super(Opcodes.ASM9);
      this.called = called;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
      called.accept(new Member(owner, name + " " + type));
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean ofInterface) {
      called.accept(new Member(owner, name + descriptor));
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      for (Object argument : arguments) {
        if (argument instanceof Handle handle) {
          called.accept(new Member(handle.getOwner(), handle.getName() + handle.getDesc()));
        }
      }
    }
  }
}
