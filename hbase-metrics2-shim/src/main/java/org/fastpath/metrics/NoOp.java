package org.fastpath.metrics;

/** Metrics that do nothing, for a process without a publisher. */
final class NoOp {
  static final Counter COUNTER =
      new Counter() {
        @Override
        public void add(long n) {}

        @Override
        public long sum() {
          return 0;
        }
      };

  static final Histogram HISTOGRAM =
      new Histogram() {
        @Override
        public void record(long value, int times) {}

        @Override
        public long count() {
          return 0;
        }

        @Override
        public long total() {
          return 0;
        }
      };

  static final Registration REGISTRATION = () -> {};

  private NoOp() {}
}
