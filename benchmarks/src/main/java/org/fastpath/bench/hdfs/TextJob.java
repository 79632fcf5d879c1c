package org.fastpath.bench.hdfs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.RegexMapper;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/** MapReduce jobs over one file of text. Each counts something and writes the counts. */
enum TextJob {
  /** Bytes by value: next to no work but reading. */
  BYTECOUNT {
    @Override
    void define(Job job) {
      job.setInputFormatClass(BlockInputFormat.class);
      job.setMapperClass(ByteCountMapper.class);
      job.setReducerClass(LongSumReducer.class);
      job.setOutputKeyClass(IntWritable.class);
      job.setOutputValueClass(LongWritable.class);
    }
  },
  /** Words, as Hadoop's example does. */
  WORDCOUNT {
    @Override
    void define(Job job) {
      job.setMapperClass(TokenCounterMapper.class);
      job.setCombinerClass(IntSumReducer.class);
      job.setReducerClass(IntSumReducer.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(IntWritable.class);
    }
  },
  /** What matches a regular expression, as Hadoop's example does. */
  GREP {
    @Override
    void define(Job job) {
      job.getConfiguration().set(RegexMapper.PATTERN, "[Cc]ach[a-z]+");
      job.setMapperClass(RegexMapper.class);
      job.setCombinerClass(LongSumReducer.class);
      job.setReducerClass(LongSumReducer.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(LongWritable.class);
    }
  };

  private static final String RESULT = "part-r-00000";

  /** The name in results and in the report. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static TextJob of(String label) {
    return Arrays.stream(values())
        .filter(job -> job.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no job " + label + ": " + labels() + " are"));
  }

  /** The names of all, in their order. */
  static List<String> labels() {
    return Arrays.stream(values()).map(TextJob::label).toList();
  }

  /** The modes in which it can read: lines are read from a stream, which copies. */
  List<ReadMode> modes() {
    return this == BYTECOUNT
        ? List.of(ReadMode.TCP, ReadMode.SHORT_CIRCUIT_UNVERIFIED, ReadMode.ZERO_COPY)
        : List.of(ReadMode.TCP, ReadMode.SHORT_CIRCUIT_UNVERIFIED);
  }

  /** Sets classes and types. */
  abstract void define(Job job);

  /** Runs it to its end and returns the sum of the counts. */
  long run(Configuration conf, Path input, Path output) throws IOException {
    Job job = Job.getInstance(conf, label());
    define(job);
    job.setNumReduceTasks(1);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, output);
    try {
      if (!job.waitForCompletion(false)) {
        throw new IOException(label() + " failed: " + job.getStatus().getFailureInfo());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + label() + " ran", e);
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
    return sum(output.getFileSystem(conf), new Path(output, RESULT));
  }

  private static long sum(FileSystem files, Path result) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(files.open(result), StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf('\t') + 1)))
          .sum();
    }
  }
}
