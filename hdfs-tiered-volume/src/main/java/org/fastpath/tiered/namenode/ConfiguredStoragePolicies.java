package org.fastpath.tiered.namenode;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.fastpath.common.FeatureStatus;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.TierFeatures;
import org.fastpath.tiered.Values;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the storage policies that an operator defines and adds them to the stock ones.
 *
 * <p>The namespace stores a policy as an id of four bits. The NameNode needs the policy of each id
 * in use. Without it, the NameNode fails at the replay of the edit that set it, and later at each
 * block of such a file. So policies exist before anything is loaded. A wrong definition prevents
 * the start of the NameNode, because going on without it would do harm.
 *
 * <p>Stateless and thread-safe.
 */
public final class ConfiguredStoragePolicies {
  static final String NAMES = "dfs.fastpath.storage-policies";
  static final String PREFIX = "dfs.fastpath.storage-policy.";

  private static final Logger LOG = LoggerFactory.getLogger(ConfiguredStoragePolicies.class);

  /** The types to which blocks are written and moved. No policy places replicas on other types. */
  private static final Set<StorageType> TYPES =
      Arrays.stream(StorageType.values())
          .filter(type -> Set.of("NVDIMM", "SSD", "DISK", "ARCHIVE").contains(type.name()))
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(StorageType.class)));

  private static final Pattern NAME = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

  private static final FeatureStatus STATUS = TierFeatures.STORAGE_POLICIES;

  private ConfiguredStoragePolicies() {}

  /**
   * Puts the defined policies into the slots of their ids.
   *
   * @param policies by id, with the stock ones; slot 0 stands for no policy
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  public static void addTo(BlockStoragePolicy[] policies, Configuration conf) {
    String[] names = conf.getTrimmedStrings(NAMES);
    if (names.length == 0) {
      STATUS.off(NAMES + " names none");
      return;
    }
    // Unverified code causes only a warning, because a namespace that uses the policies needs them.
    TierFeatures.check(STATUS);
    try {
      for (String name : names) {
        BlockStoragePolicy policy = read(conf, name, policies);
        policies[policy.getId()] = policy;
        LOG.info("Storage policy from the configuration: {}", policy);
      }
    } catch (InvalidValueException e) {
      STATUS.misconfigured(e.getMessage());
      throw e;
    }
    STATUS.active();
  }

  private static BlockStoragePolicy read(
      Configuration conf, String name, BlockStoragePolicy[] others) {
    requireFreeName(name, others);
    StorageType[] types = types(conf, name, "storage-types");
    if (types.length == 0) {
      throw new InvalidValueException(key(name, "storage-types"), "", allowed());
    }
    return new BlockStoragePolicy(
        id(conf, name, others),
        name,
        types,
        types(conf, name, "creation-fallbacks"),
        types(conf, name, "replication-fallbacks"),
        Values.flag(conf, key(name, "copy-on-create"), "false"));
  }

  private static void requireFreeName(String name, BlockStoragePolicy[] others) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidValueException(NAMES, name, "a name of at most 64 capitals, digits and _");
    }
    Optional<BlockStoragePolicy> other =
        Arrays.stream(others)
            .filter(Objects::nonNull)
            .filter(policy -> policy.getName().equalsIgnoreCase(name))
            .findAny();
    if (other.isPresent()) {
      throw new InvalidValueException(
          NAMES, name, "a name that is not yet taken, as by " + other.get());
    }
  }

  private static byte id(Configuration conf, String name, BlockStoragePolicy[] others) {
    String key = key(name, "id");
    String value = conf.getTrimmed(key, "");
    try {
      int id = Integer.parseInt(value);
      if (id > 0 && id < others.length && others[id] == null) {
        return (byte) id;
      }
    } catch (NumberFormatException e) {
      // Rejected below, like an id out of range.
    }
    String free =
        IntStream.range(1, others.length)
            .filter(id -> others[id] == null)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    throw new InvalidValueException(key, value, "one of the ids that are free: " + free);
  }

  private static StorageType[] types(Configuration conf, String name, String property) {
    String key = key(name, property);
    return Arrays.stream(conf.getTrimmedStrings(key))
        .map(value -> type(key, value))
        .toArray(StorageType[]::new);
  }

  private static StorageType type(String key, String value) {
    return TYPES.stream()
        .filter(type -> type.name().equals(value.toUpperCase(Locale.ROOT)))
        .findAny()
        .orElseThrow(() -> new InvalidValueException(key, value, allowed()));
  }

  private static String allowed() {
    return TYPES.stream().map(StorageType::name).sorted().collect(Collectors.joining(", "))
        + ", separated by commas";
  }

  private static String key(String name, String property) {
    return PREFIX + name + "." + property;
  }
}
