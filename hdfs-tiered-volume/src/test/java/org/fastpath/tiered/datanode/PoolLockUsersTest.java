package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;
import org.fastpath.tiered.TierFeatures;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Lists the methods of HDFS's dataset that lock a whole block pool for writing and so use {@link
 * PatientWriteLock}. The methods that recover HBase's logs after a crash are not among them.
 */
class PoolLockUsersTest {
  @BeforeAll
  static void requireVerifiedLocks() {
    assumeTrue(TierFeatures.check(TierFeatures.TIERED_DATASET), "it stays off on this version");
  }

  private static final String DATASET =
      "/org/apache/hadoop/hdfs/server/datanode/fsdataset/impl/FsDatasetImpl.class";
  private static final String POOL = "BLOCK_POOl";

  private final Set<String> ofPools = new TreeSet<>();
  private final Set<String> ofVolumes = new TreeSet<>();

  private void read() throws IOException {
    try (InputStream in = PoolLockUsersTest.class.getResourceAsStream(DATASET)) {
      new ClassReader(in)
          .accept(
              new ClassVisitor(Opcodes.ASM9) {
                @Override
                public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String generic, String[] thrown) {
                  return new Locks(name);
                }
              },
              ClassReader.SKIP_DEBUG);
    }
  }

  /** Notes the level that a method loaded last before it locks. */
  private final class Locks extends MethodVisitor {
    private final String method;
    private String level = "";

    Locks(String method) {
      super(Opcodes.ASM9);
      this.method = method;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (owner.endsWith("LockLevel")) {
        level = name;
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (name.equals("writeLock")) {
        (level.equals(POOL) ? ofPools : ofVolumes).add(method);
      }
    }
  }

  @Test
  void recoveryOfLogsLocksVolumesOnly() throws IOException {
    read();
    assertThat(ofPools).contains("createTemporary", "recoverAppend");
    assertThat(ofPools)
        .doesNotContain(
            "initReplicaRecovery",
            "initReplicaRecoveryImpl",
            "updateReplicaUnderRecovery",
            "recoverClose",
            "recoverRbw",
            "convertTemporaryToRbw",
            "createRbw",
            "finalizeBlock");
    assertThat(ofVolumes).contains("updateReplicaUnderRecovery", "recoverRbw", "recoverClose");
  }
}
