package org.fastpath.tiered.datanode.move;

import java.util.Collection;
import java.util.function.LongSupplier;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Histogram;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;

/** The metrics source {@code TieredMoves} of a process. Thread-safe. */
final class MoveMetrics implements AutoCloseable {
  private final Counter movedReplicas;
  private final Counter movedBytes;
  private final Counter failedMoves;
  private final Counter doneRequests;
  private final Counter failedRequests;
  private final Counter failedPolls;
  private final Histogram move;
  private final Registration registration;

  private volatile long waiting;
  private volatile long moving;
  private volatile long failed;

  MoveMetrics(LongSupplier activeMoves, LongSupplier waitingMoves) {
    SourceBuilder builder = Metrics.source("TieredMoves", "Moves of files to another tier");
    builder.gauge("waitingRequestCount", "Requests that wait", () -> waiting);
    builder.gauge("movingRequestCount", "Requests whose replicas are moving", () -> moving);
    builder.gauge("failedRequestCount", "Failed requests in the queue", () -> failed);
    builder.gauge("activeMoveCount", "Replicas that are moving", activeMoves);
    builder.gauge("waitingMoveCount", "Replicas whose moves wait for a limit", waitingMoves);
    movedReplicas = builder.counter("movedReplicaCount", "Replicas that were moved");
    movedBytes = builder.counter("movedBytes", "Bytes of these replicas");
    failedMoves = builder.counter("failedMoveCount", "Moves that DataNodes rejected or aborted");
    doneRequests = builder.counter("doneRequestCount", "Completed requests");
    failedRequests = builder.counter("gaveUpRequestCount", "Failed requests since the start");
    failedPolls = builder.counter("failedPollCount", "Failed polls of the queue");
    move = builder.histogram("move", Unit.NANOS, "Time that a DataNode takes for a replica");
    registration = builder.register();
  }

  void queue(Collection<MoveRequest> requests) {
    waiting = count(requests, MoveState.WAITING);
    moving = count(requests, MoveState.MOVING);
    failed = count(requests, MoveState.FAILED);
  }

  private static long count(Collection<MoveRequest> requests, MoveState state) {
    return requests.stream().filter(request -> request.state() == state).count();
  }

  void moved(long bytes, long nanos) {
    movedReplicas.increment();
    movedBytes.add(bytes);
    move.record(nanos);
  }

  void failedMove() {
    failedMoves.increment();
  }

  void done() {
    doneRequests.increment();
  }

  void gaveUp() {
    failedRequests.increment();
  }

  void failedPoll() {
    failedPolls.increment();
  }

  @Override
  public void close() {
    registration.close();
  }
}
