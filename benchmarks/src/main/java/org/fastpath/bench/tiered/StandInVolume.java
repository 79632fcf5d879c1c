package org.fastpath.bench.tiered;

import java.io.File;
import java.net.URI;
import java.util.Collection;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DF;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DirectoryScanner.ReportCompiler;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.checker.VolumeCheckResult;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.DataNodeVolumeMetrics;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A volume that can be chosen, and nothing else. */
public final class StandInVolume implements FsVolumeSpi {
  private final LongSupplier available;
  private final FileIoProvider provider;
  private final String id;

  /**
   * Makes one.
   *
   * @param provider where its operations go through, or null
   */
  public StandInVolume(LongSupplier available, FileIoProvider provider) {
    this.available = available;
    this.provider = provider;
    id = "DS-" + System.identityHashCode(this);
  }

  @Override
  public long getAvailable() {
    return available.getAsLong();
  }

  @Override
  public StorageType getStorageType() {
    return StorageType.DISK;
  }

  @Override
  public String getStorageID() {
    return id;
  }

  @Override
  public URI getBaseURI() {
    return URI.create("file:/stand-in/" + id);
  }

  @Override
  public FileIoProvider getFileIoProvider() {
    return provider;
  }

  @Override
  public boolean isTransientStorage() {
    return false;
  }

  @Override
  public boolean isRAMStorage() {
    return false;
  }

  private static UnsupportedOperationException nothingElse() {
    return new UnsupportedOperationException("a stand-in can only be chosen");
  }

  @Override
  public FsVolumeReference obtainReference() {
    throw nothingElse();
  }

  @Override
  public String[] getBlockPoolList() {
    throw nothingElse();
  }

  @Override
  public DF getUsageStats(Configuration conf) {
    throw nothingElse();
  }

  @Override
  public StorageLocation getStorageLocation() {
    throw nothingElse();
  }

  @Override
  public void reserveSpaceForReplica(long bytesToReserve) {
    throw nothingElse();
  }

  @Override
  public void releaseReservedSpace(long bytesToRelease) {
    throw nothingElse();
  }

  @Override
  public void releaseLockedMemory(long bytesToRelease) {
    throw nothingElse();
  }

  @Override
  public BlockIterator newBlockIterator(String bpid, String name) {
    throw nothingElse();
  }

  @Override
  public BlockIterator loadBlockIterator(String bpid, String name) {
    throw nothingElse();
  }

  @Override
  public FsDatasetSpi<?> getDataset() {
    throw nothingElse();
  }

  @Override
  public byte[] loadLastPartialChunkChecksum(File blockFile, File metaFile) {
    throw nothingElse();
  }

  @Override
  public void compileReport(String bpid, Collection<ScanInfo> report, ReportCompiler compiler) {
    throw nothingElse();
  }

  @Override
  public DataNodeVolumeMetrics getMetrics() {
    return null;
  }

  @Override
  public VolumeCheckResult check(VolumeCheckContext context) {
    return VolumeCheckResult.HEALTHY;
  }
}
