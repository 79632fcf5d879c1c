package org.fastpath.tiered.regionserver.guard;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs at intervals that files are not on the tier of their policies. Not thread-safe. */
final class Fallbacks {
  private static final Logger LOG = LoggerFactory.getLogger(Fallbacks.class);

  private final long repeatNanos;
  private boolean reported;
  private long lastReported;
  private long files;
  private String example;

  Fallbacks(GuardOptions options) {
    repeatNanos = TimeUnit.SECONDS.toNanos(options.repeatSeconds());
  }

  /** Counts a new file if one of its replicas is misplaced. */
  void count(String path, LocatedFile file) {
    file.placed().keySet().stream()
        .filter(LocatedFile.Placement::isFallback)
        .findFirst()
        .ifPresent(
            fallback -> {
              files++;
              example =
                  path + " is on " + fallback.actual() + ", its policy wants " + fallback.wanted();
            });
  }

  /** Logs the count if there is one and the interval has passed. */
  void report(long nanos) {
    if (files > 0 && (!reported || nanos - lastReported >= repeatNanos)) {
      LOG.warn(
          "{} new store files are on another tier than their policies want, such as {}. The wanted"
              + " volumes are full, have failed or do not exist. bin/fastpath move moves the files"
              + " when there is room",
          files,
          example);
      reported = true;
      lastReported = nanos;
      files = 0;
    }
  }
}
