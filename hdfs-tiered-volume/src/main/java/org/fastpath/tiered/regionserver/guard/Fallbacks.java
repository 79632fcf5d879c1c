package org.fastpath.tiered.regionserver.guard;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says, once in a while, that files are not where their policies want them. For one thread. */
final class Fallbacks {
  private static final Logger LOG = LoggerFactory.getLogger(Fallbacks.class);

  private final long repeatNanos;
  private boolean said;
  private long lastSaid;
  private long files;
  private String example;

  Fallbacks(GuardOptions options) {
    repeatNanos = TimeUnit.SECONDS.toNanos(options.repeatSeconds());
  }

  /** Counts a file that was written, if a replica of it is elsewhere. */
  void look(String path, LocatedFile file) {
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

  /** Says it, if there is something to say and it was not said of late. */
  void report(long nanos) {
    if (files > 0 && (!said || nanos - lastSaid >= repeatNanos)) {
      LOG.warn(
          "{} new store files are on another tier than their policies want, such as {}. The wanted"
              + " volumes are full, have failed or do not exist. bin/fastpath move moves the files"
              + " when there is room",
          files,
          example);
      said = true;
      lastSaid = nanos;
      files = 0;
    }
  }
}
