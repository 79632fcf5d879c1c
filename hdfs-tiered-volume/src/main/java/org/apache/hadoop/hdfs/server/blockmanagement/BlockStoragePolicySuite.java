package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.PROVIDED;
import static org.apache.hadoop.fs.StorageType.RAM_DISK;
import static org.apache.hadoop.fs.StorageType.SSD;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.fastpath.tiered.namenode.ConfiguredStoragePolicies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A patch of HDFS's class of this name. It holds the stock storage policies and those that the
 * configuration defines ({@link ConfiguredStoragePolicies}).
 *
 * <p>This must be a patch: the NameNode makes its suite by a static method before it loads the
 * namespace. Plug-ins ({@code dfs.namenode.plugins}) start only after the replay of the edits. The
 * replay of an edit that sets an unknown policy on a file ends the NameNode. The external storage
 * policy satisfier makes a suite by the same method.
 *
 * <p>Immutable after its construction.
 */
public class BlockStoragePolicySuite {
  static final Logger LOG = LoggerFactory.getLogger(BlockStoragePolicySuite.class);

  /** The extended attribute that holds a directory's policy. */
  public static final String STORAGE_POLICY_XATTR_NAME = "hsm.block.storage.policy.id";

  /** Its name space. */
  public static final XAttr.NameSpace XAttrNS = XAttr.NameSpace.SYSTEM;

  /** The bits that an inode has for a policy. */
  public static final int ID_BIT_LENGTH = 4;

  private static final StorageType[] NONE = StorageType.EMPTY_ARRAY;
  private static final String LAZY_PERSIST = "LAZY_PERSIST";

  /** Null in Hadoop 3.3, which has no such type. */
  private static final StorageType NVDIMM =
      Arrays.stream(StorageType.values())
          .filter(type -> type.name().equals("NVDIMM"))
          .findAny()
          .orElse(null);

  private final byte defaultPolicyID;
  private final BlockStoragePolicy[] policies;

  /**
   * Makes a suite of these policies.
   *
   * @param policies by id
   */
  public BlockStoragePolicySuite(byte defaultPolicyID, BlockStoragePolicy[] policies) {
    this.defaultPolicyID = defaultPolicyID;
    this.policies = policies;
  }

  /** Returns the suite by the configuration files on the class path. */
  public static BlockStoragePolicySuite createDefaultSuite() {
    return createDefaultSuite(null);
  }

  /** Returns the suite by a configuration, or by the files on the class path if that is null. */
  public static BlockStoragePolicySuite createDefaultSuite(Configuration conf) {
    BlockStoragePolicy[] policies = new BlockStoragePolicy[1 << ID_BIT_LENGTH];
    stock().forEach(policy -> policies[policy.getId()] = policy);
    ConfiguredStoragePolicies.addTo(policies, conf == null ? new HdfsConfiguration() : conf);
    return new BlockStoragePolicySuite(byDefault(conf), policies);
  }

  /**
   * Returns the id of the default policy. Hadoop 3.3 has neither NVDIMM nor a configurable default.
   */
  private static byte byDefault(Configuration conf) {
    String name =
        conf == null || NVDIMM == null
            ? null
            : conf.getTrimmed(DFSConfigKeys.DFS_STORAGE_DEFAULT_POLICY);
    if (name == null) {
      return HdfsConstants.HOT_STORAGE_POLICY_ID;
    }
    return stock()
        .filter(policy -> policy.getName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    DFSConfigKeys.DFS_STORAGE_DEFAULT_POLICY
                        + " is "
                        + name
                        + ", allowed is the name of a stock policy"))
        .getId();
  }

  /**
   * Returns the stock policies. The compiler copies names and constants, so this class links with
   * Hadoop 3.3 too.
   */
  private static Stream<BlockStoragePolicy> stock() {
    Stream<BlockStoragePolicy> everywhere =
        Stream.of(
            policy(
                HdfsConstants.MEMORY_STORAGE_POLICY_ID,
                LAZY_PERSIST,
                types(RAM_DISK, DISK),
                types(DISK),
                types(DISK)),
            policy(
                HdfsConstants.ALLSSD_STORAGE_POLICY_ID,
                "ALL_SSD",
                types(SSD),
                types(DISK),
                types(DISK)),
            mixed(HdfsConstants.ONESSD_STORAGE_POLICY_ID, "ONE_SSD", SSD, DISK),
            policy(HdfsConstants.HOT_STORAGE_POLICY_ID, "HOT", types(DISK), NONE, types(ARCHIVE)),
            mixed(HdfsConstants.WARM_STORAGE_POLICY_ID, "WARM", DISK, ARCHIVE),
            policy(HdfsConstants.COLD_STORAGE_POLICY_ID, "COLD", types(ARCHIVE), NONE, NONE),
            mixed(HdfsConstants.PROVIDED_STORAGE_POLICY_ID, "PROVIDED", PROVIDED, DISK));
    return NVDIMM == null
        ? everywhere
        : Stream.concat(
            everywhere,
            Stream.of(
                policy(
                    HdfsConstants.ALLNVDIMM_STORAGE_POLICY_ID,
                    "ALL_NVDIMM",
                    types(NVDIMM),
                    types(DISK),
                    types(DISK))));
  }

  /**
   * Returns a policy with one replica on the first type and all others on the second. Each type is
   * the fallback of the other.
   */
  private static BlockStoragePolicy mixed(byte id, String name, StorageType... types) {
    return policy(id, name, types, types, types);
  }

  private static BlockStoragePolicy policy(
      byte id,
      String name,
      StorageType[] types,
      StorageType[] creationFallbacks,
      StorageType[] replicationFallbacks) {
    return new BlockStoragePolicy(
        id, name, types, creationFallbacks, replicationFallbacks, name.equals(LAZY_PERSIST));
  }

  private static StorageType[] types(StorageType... types) {
    return types;
  }

  /** Returns the policy of an id, or null; of 0 the default. */
  public BlockStoragePolicy getPolicy(byte id) {
    return id == 0 ? getDefaultPolicy() : policies[id];
  }

  /** Returns the policy of files without a policy. */
  public BlockStoragePolicy getDefaultPolicy() {
    return getPolicy(defaultPolicyID);
  }

  /** Returns the policy of a name in any case, or null. */
  public BlockStoragePolicy getPolicy(String policyName) {
    Objects.requireNonNull(policyName);
    return all()
        .filter(policy -> policy.getName().equalsIgnoreCase(policyName))
        .findFirst()
        .orElse(null);
  }

  /** Returns all policies, in the order of their ids. */
  public BlockStoragePolicy[] getAllPolicies() {
    return all().toArray(BlockStoragePolicy[]::new);
  }

  private Stream<BlockStoragePolicy> all() {
    return policies == null ? Stream.empty() : Arrays.stream(policies).filter(Objects::nonNull);
  }

  /**
   * Returns the extended attribute's full name, as in {@code system.hsm.block.storage.policy.id}.
   */
  public static String buildXAttrName() {
    return XAttrNS.toString().toLowerCase(Locale.ENGLISH) + "." + STORAGE_POLICY_XATTR_NAME;
  }

  /** Returns the attribute for a policy. */
  public static XAttr buildXAttr(byte policyId) {
    return XAttrHelper.buildXAttr(buildXAttrName(), new byte[] {policyId});
  }

  /** Returns the attribute's name as clients write it. */
  public static String getStoragePolicyXAttrPrefixedName() {
    return XAttrHelper.getPrefixedName(XAttrNS, STORAGE_POLICY_XATTR_NAME);
  }

  /** Returns whether an attribute is the one of a policy. */
  public static boolean isStoragePolicyXAttr(XAttr xattr) {
    return xattr != null
        && xattr.getNameSpace() == XAttrNS
        && xattr.getName().equals(STORAGE_POLICY_XATTR_NAME);
  }
}
