package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * A split for each HDFS block, records that are chunks of it. Nothing crosses a block's end, so
 * that a block that is mapped is all that a task needs.
 */
final class BlockInputFormat extends FileInputFormat<NullWritable, ByteBuffer> {
  /** In the job's configuration: how chunks are read. */
  static final String MODE = "fastpath.bench.mode";

  private static final int CHUNK = 8 << 20;

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    List<InputSplit> splits = new ArrayList<>();
    for (FileStatus file : listStatus(job)) {
      BlockLocation[] blocks =
          file.getPath()
              .getFileSystem(job.getConfiguration())
              .getFileBlockLocations(file, 0, file.getLen());
      for (BlockLocation block : blocks) {
        splits.add(
            new FileSplit(file.getPath(), block.getOffset(), block.getLength(), block.getHosts()));
      }
    }
    return splits;
  }

  @Override
  public RecordReader<NullWritable, ByteBuffer> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Reader();
  }

  private static final class Reader extends RecordReader<NullWritable, ByteBuffer> {
    private ReadMode mode;
    private FSDataInputStream in;
    private Chunks chunks;
    private ByteBuffer chunk;
    private FileSplit split;

    @Override
    public void initialize(InputSplit block, TaskAttemptContext context) throws IOException {
      Configuration conf = context.getConfiguration();
      split = (FileSplit) block;
      mode = ReadMode.of(conf.get(MODE));
      in = mode.open(split.getPath().getFileSystem(conf), split.getPath());
      long end = split.getStart() + split.getLength();
      chunks = mode.chunks(in, split.getStart(), end, CHUNK);
      chunks.rewind();
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      chunk = chunks.next();
      return chunk != null;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public ByteBuffer getCurrentValue() {
      return chunk;
    }

    @Override
    public float getProgress() throws IOException {
      return (float) (in.getPos() - split.getStart()) / split.getLength();
    }

    @Override
    public void close() throws IOException {
      mode.confirm(in);
      chunks.close();
    }
  }
}
