package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.CompressionTest;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.Values;

/**
 * The format of files with a policy. Parts without a rule are those of the family. Each file
 * contains its own format, so stock HBase also reads files of several formats in one store.
 */
record TierFormat(
    Optional<Compression.Algorithm> compression,
    Optional<DataBlockEncoding> encoding,
    Optional<Integer> blockBytes) {
  static final String COMPRESSION = TierRules.PREFIX + "compression.";
  static final String ENCODING = TierRules.PREFIX + "encoding.";
  static final String BLOCK_SIZE = TierRules.PREFIX + "block-size.";

  /** Prefixes of keys; the name of a policy follows. */
  static final List<String> PREFIXES = List.of(COMPRESSION, ENCODING, BLOCK_SIZE);

  /** The format of the family. */
  static final TierFormat STOCK =
      new TierFormat(Optional.empty(), Optional.empty(), Optional.empty());

  /** The minimum that HBase accepts for a family. */
  private static final long MIN_BLOCK_BYTES = 1 << 10;

  private static final long MAX_BLOCK_BYTES = 16 << 20;

  /** Returns the format of files with a policy. */
  static TierFormat of(Configuration store, String policy) {
    return new TierFormat(
        value(store, COMPRESSION + policy).map(name -> algorithm(COMPRESSION + policy, name)),
        value(store, ENCODING + policy).map(name -> encoding(ENCODING + policy, name)),
        value(store, BLOCK_SIZE + policy).map(size -> blockBytes(store, BLOCK_SIZE + policy)));
  }

  /** Returns the policy in the name of a format key. */
  static Optional<String> policyOf(String key) {
    return PREFIXES.stream()
        .filter(key::startsWith)
        .map(prefix -> key.substring(prefix.length()))
        .findFirst();
  }

  private static Optional<String> value(Configuration store, String key) {
    return Optional.of(store.getTrimmed(key, "")).filter(value -> !value.isEmpty());
  }

  /** Returns a compression whose library can be loaded. Without the library, flushes would fail. */
  private static Compression.Algorithm algorithm(String key, String value) {
    try {
      Compression.Algorithm algorithm =
          Compression.getCompressionAlgorithmByName(value.toLowerCase(Locale.ROOT));
      CompressionTest.testCompression(algorithm);
      return algorithm;
    } catch (IllegalArgumentException e) {
      throw new InvalidValueException(key, value, "one of " + algorithms());
    } catch (IOException e) {
      throw new InvalidValueException(key, value, "a compression that can be loaded here");
    }
  }

  private static String algorithms() {
    return Arrays.stream(Compression.Algorithm.values())
        .map(Compression.Algorithm::getName)
        .collect(Collectors.joining(", "));
  }

  private static DataBlockEncoding encoding(String key, String value) {
    try {
      return DataBlockEncoding.valueOf(value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      Set<String> known = new TreeSet<>();
      for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
        known.add(encoding.name());
      }
      throw new InvalidValueException(key, value, "one of " + String.join(", ", known));
    }
  }

  private static int blockBytes(Configuration store, String key) {
    return (int)
        Values.whole(
            store, key, "", MIN_BLOCK_BYTES, MAX_BLOCK_BYTES, "bytes, or with the suffix k or m,");
  }

  /** Returns whether the format is that of the family. */
  boolean isStock() {
    return equals(STOCK);
  }

  /**
   * Returns a family with this format, except for compression, which HBase passes to each writer.
   */
  ColumnFamilyDescriptor of(ColumnFamilyDescriptor family) {
    ColumnFamilyDescriptorBuilder builder = ColumnFamilyDescriptorBuilder.newBuilder(family);
    encoding.ifPresent(builder::setDataBlockEncoding);
    blockBytes.ifPresent(builder::setBlocksize);
    return builder.build();
  }
}
