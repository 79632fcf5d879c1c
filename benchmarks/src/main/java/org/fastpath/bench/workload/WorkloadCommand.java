package org.fastpath.bench.workload;

import picocli.CommandLine.Command;

/** The workloads' command line. */
@Command(
    name = "workload",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "NAME",
    description = "Experiments, most of them on a local cluster of real HDFS and HBase processes.",
    subcommands = {
      BlockCacheCommand.class,
      BlockCacheLiveCommand.class,
      BytecountCommand.class,
      CompactionCommand.class,
      DatasetLocksCommand.class,
      HdfsCacheLiveCommand.class,
      HdfsCacheShiftCommand.class,
      MetricsCommand.class,
      PreadsCommand.class,
      ReaderLiveCommand.class,
      TierCasesCommand.class,
      VecsumCommand.class,
      VolumeBalanceCommand.class,
      VolumeChoiceCommand.class
    })
public final class WorkloadCommand {}
