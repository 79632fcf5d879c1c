package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Counts the bytes of one HDFS block by value and tells the counts when it is at its end. */
final class ByteCountMapper extends Mapper<NullWritable, ByteBuffer, IntWritable, LongWritable> {
  private final ByteHistogram histogram = new ByteHistogram();

  @Override
  protected void map(NullWritable key, ByteBuffer chunk, Context context) {
    histogram.add(chunk);
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    for (int value = 0; value < ByteHistogram.VALUES; value++) {
      if (histogram.count(value) > 0) {
        context.write(new IntWritable(value), new LongWritable(histogram.count(value)));
      }
    }
  }
}
