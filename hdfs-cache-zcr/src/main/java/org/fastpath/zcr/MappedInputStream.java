package org.fastpath.zcr;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HasEnhancedByteBufferAccess;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.io.ByteBufferPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads mapped blocks from their mappings and everything else by the stock stream, which it owns.
 * The stock stream also handles unusual calls and throws all exceptions.
 *
 * <p>The stock stream holds the position of sequential reads. A sequential read holds its monitor
 * while it copies bytes and moves the position. Positional reads take no lock and allocate nothing
 * if the block is mapped. Thread-safe like a stock stream.
 */
final class MappedInputStream extends FSInputStream
    implements ByteBufferReadable,
        ByteBufferPositionedReadable,
        HasEnhancedByteBufferAccess,
        CanSetDropBehind,
        CanSetReadahead,
        CanUnbuffer,
        StreamCapabilities {
  private static final Logger LOG = LoggerFactory.getLogger(MappedInputStream.class);

  private final DFSInputStream stock;
  private final DFSClient client;
  private final FileBlocks blocks;
  private final boolean verified;
  private final boolean copiesAnchoredOnly;
  private final FileSystem.Statistics fileSystemStatistics;
  private final StreamStatistics statistics;
  private volatile boolean closed;

  // Guarded by the stock stream's monitor.
  private final Map<ByteBuffer, Mapping> slices = new IdentityHashMap<>();
  private final ByteBuffer oneByte = ByteBuffer.allocate(1);
  private FileBlocks.Block current;

  /** The block that is read by the stock stream only, after {@link #seekToNewSource}; or null. */
  private FileBlocks.Block newSource;

  /**
   * Takes over a stock stream.
   *
   * @param verified whether slices need locked memory, unless the read requests no checksums
   * @param copiesAnchoredOnly whether copied reads need locked memory
   */
  MappedInputStream(
      DFSInputStream stock,
      DFSClient client,
      FileBlocks blocks,
      boolean verified,
      boolean copiesAnchoredOnly,
      FileSystem.Statistics fileSystemStatistics) {
    this.stock = stock;
    this.client = client;
    this.blocks = blocks;
    this.verified = verified;
    this.copiesAnchoredOnly = copiesAnchoredOnly;
    this.fileSystemStatistics = fileSystemStatistics;
    statistics = new StreamStatistics(stock.getReadStatistics());
  }

  private boolean covers(long position) {
    return position >= 0 && position < blocks.length() && !closed && client.isClientRunning();
  }

  // Positional reads.

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(position, buffer, offset, length);
    if (length == 0 || !covers(position)) {
      return stock.read(position, buffer, offset, length);
    }
    int wanted = (int) Math.min(length, blocks.length() - position);
    int done = 0;
    while (done < wanted) {
      int part = readPart(position + done, buffer, offset + done, wanted - done);
      if (part <= 0) {
        return done > 0 ? done : part;
      }
      done += part;
    }
    return done;
  }

  private int readPart(long position, byte[] buffer, int offset, int length) throws IOException {
    FileBlocks.Block block = blocks.at(position);
    int part = partOf(block, position, length);
    return copy(block, position, buffer, null, offset, part)
        ? part
        : stock.read(position, buffer, offset, part);
  }

  @Override
  public int read(long position, ByteBuffer buffer) throws IOException {
    if (!buffer.hasRemaining() || buffer.isReadOnly() || !covers(position)) {
      return stock.read(position, buffer);
    }
    int wanted = (int) Math.min(buffer.remaining(), blocks.length() - position);
    int done = 0;
    while (done < wanted) {
      int part = readPart(position + done, buffer, wanted - done);
      if (part <= 0) {
        return done > 0 ? done : part;
      }
      done += part;
    }
    return done;
  }

  private int readPart(long position, ByteBuffer buffer, int length) throws IOException {
    FileBlocks.Block block = blocks.at(position);
    int part = partOf(block, position, length);
    int start = buffer.position();
    int read = part;
    if (!copy(block, position, null, buffer, start, part)) {
      read = stock.read(position, buffer.duplicate().limit(start + part));
    }
    buffer.position(start + Math.max(0, read));
    return read;
  }

  @Override
  public void readFully(long position, ByteBuffer buffer) throws IOException {
    long next = position;
    while (buffer.hasRemaining()) {
      int read = read(next, buffer);
      if (read < 0) {
        throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY);
      }
      next += read;
    }
  }

  private static int partOf(FileBlocks.Block block, long position, int length) {
    return block == null ? length : (int) Math.min(length, block.end() - position);
  }

  /**
   * Copies from a block's mapping into an array or a buffer.
   *
   * @return false if it was not possible; then the stock stream must read
   * @throws ClosedByInterruptException if this thread is interrupted
   */
  private boolean copy(
      FileBlocks.Block block, long position, byte[] array, ByteBuffer buffer, int index, int length)
      throws ClosedByInterruptException {
    Mapping mapping = block == null ? null : block.pin(copiesAnchoredOnly);
    if (mapping == null) {
      ZeroCopyMetrics.fallback(block == null ? Fallback.FAILED : block.why());
      return false;
    }
    int from = (int) (position - block.start());
    boolean whole;
    try {
      requireNotInterrupted();
      whole =
          array == null
              ? CheckedCopy.copy(mapping, from, buffer, index, length)
              : CheckedCopy.copy(mapping, from, array, index, length);
    } finally {
      mapping.unpin();
    }
    if (!whole) {
      ZeroCopyMetrics.fallback(block.damaged(mapping));
      return false;
    }
    ZeroCopyMetrics.copied(mapping, length);
    statistics.addShortCircuitBytes(length);
    fileSystemStatistics.incrementBytesRead(length);
    fileSystemStatistics.incrementBytesReadByDistance(0, length);
    return true;
  }

  /**
   * Ends the read of an interrupted thread with the exception of a stock read. The channel itself
   * stays open, because other streams share it.
   */
  private static void requireNotInterrupted() throws ClosedByInterruptException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
  }

  /**
   * Returns a slice of the file at a position, at most to the end of its block; null if not mapped.
   */
  Slice slice(long position, int length) {
    try (MappedPlace place = map(position)) {
      return place == null ? null : place.slice(Math.min(length, place.left()));
    }
  }

  /** A place in a mapping, if its block is mapped already; else null. */
  MappedPlace mapped(long position) {
    FileBlocks.Block block = covers(position) ? blocks.known(position) : null;
    return block == null ? null : place(block, block.pinMapped(copiesAnchoredOnly), position);
  }

  /** A place in a mapping, which is made if need be; null if the block cannot be mapped. */
  MappedPlace map(long position) {
    FileBlocks.Block block = covers(position) ? blocks.at(position) : null;
    Mapping mapping = block == null ? null : block.pin(copiesAnchoredOnly);
    if (mapping == null) {
      ZeroCopyMetrics.fallback(block == null ? Fallback.FAILED : block.why());
    }
    return place(block, mapping, position);
  }

  private MappedPlace place(FileBlocks.Block block, Mapping mapping, long position) {
    return mapping == null
        ? null
        : new MappedPlace(
            this, mapping, (int) (position - block.start()), (int) (block.end() - position));
  }

  void sliced(Mapping mapping, int length) {
    ZeroCopyMetrics.sliced(mapping, length);
    statistics.addZeroCopyBytes(length);
  }

  // Sequential reads.

  @Override
  public int read() throws IOException {
    synchronized (stock) {
      return advance(null, oneByte, 0, 1) > 0 ? oneByte.get(0) & 0xff : stock.read();
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    synchronized (stock) {
      boolean inside = offset >= 0 && length > 0 && length <= buffer.length - offset;
      int read = inside ? advance(buffer, null, offset, length) : 0;
      return read > 0 ? read : stock.read(buffer, offset, length);
    }
  }

  @Override
  public int read(ByteBuffer buffer) throws IOException {
    synchronized (stock) {
      boolean writable = buffer.hasRemaining() && !buffer.isReadOnly();
      int start = buffer.position();
      int read = writable ? advance(null, buffer, start, buffer.remaining()) : 0;
      if (read <= 0) {
        leaveToStock(stock.getPos());
        return stock.read(buffer);
      }
      buffer.position(start + read);
      return read;
    }
  }

  /** Reads at the position and moves it. Returns 0 if the stock stream must read. */
  private int advance(byte[] array, ByteBuffer buffer, int index, int length) throws IOException {
    long position = stock.getPos();
    leaveToStock(position);
    if (!covers(position) || isOfNewSource(position)) {
      return 0;
    }
    FileBlocks.Block block = blocks.at(position);
    int part = partOf(block, position, length);
    if (!copy(block, position, array, buffer, index, part)) {
      return 0;
    }
    moveTo(position + part);
    current = block;
    return part;
  }

  /**
   * Uses the stock stream's block from here on. At the end of the file it keeps the block of the
   * last read.
   */
  private void leaveToStock(long position) {
    if (position < blocks.length()) {
      current = null;
    }
  }

  /**
   * Moves the position after a read from a mapping. While all reads use mappings, the stock stream
   * would keep its last block reader open. That reader holds descriptors, or a connection with a
   * DataNode thread that holds a reference to the volume.
   */
  private void moveTo(long position) throws IOException {
    stock.unbuffer();
    stock.seek(position);
  }

  // Zero-copy reads.

  @Override
  public ByteBuffer read(ByteBufferPool pool, int maxLength, EnumSet<ReadOption> options)
      throws IOException {
    synchronized (stock) {
      ByteBuffer slice = maxLength > 0 ? nextSlice(maxLength, options) : null;
      return slice == null ? stockRead(pool, maxLength, options) : slice;
    }
  }

  private ByteBuffer stockRead(ByteBufferPool pool, int maxLength, EnumSet<ReadOption> options)
      throws IOException {
    long position = stock.getPos();
    try {
      return stock.read(pool, maxLength, options);
    } catch (IOException e) {
      forgetBlock(position);
      throw e;
    }
  }

  /**
   * Makes the stock stream drop its block. After a zero-copy read without a DataNode, the stock
   * stream assumes an open block and fails at the next seek with a NullPointerException. A seek
   * beyond the block drops it.
   */
  private void forgetBlock(long position) throws IOException {
    if (!closed && client.isClientRunning()) {
      stock.seek(blocks.length());
      stock.seek(position);
    }
  }

  private ByteBuffer nextSlice(int maxLength, EnumSet<ReadOption> options) throws IOException {
    long position = stock.getPos();
    leaveToStock(position);
    boolean mayBeMapped = covers(position) && !isOfNewSource(position);
    FileBlocks.Block block = mayBeMapped ? blocks.at(position) : null;
    if (block == null) {
      return null;
    }
    Mapping mapping = block.pin(verified && !options.contains(ReadOption.SKIP_CHECKSUMS));
    if (mapping == null) {
      ZeroCopyMetrics.fallback(block.why());
      return null;
    }
    int part = partOf(block, position, maxLength);
    try {
      moveTo(position + part);
    } catch (IOException | RuntimeException e) {
      mapping.unpin();
      throw e;
    }
    ByteBuffer slice = mapping.slice((int) (position - block.start()), part);
    slices.put(slice, mapping);
    current = block;
    sliced(mapping, part);
    return slice;
  }

  @Override
  public void releaseBuffer(ByteBuffer buffer) {
    Mapping mapping;
    synchronized (stock) {
      mapping = slices.remove(buffer);
    }
    if (mapping == null) {
      stock.releaseBuffer(buffer);
    } else {
      ZeroCopyMetrics.released();
      mapping.unpin();
    }
  }

  // The rest is the stock stream's.

  ReadStatistics statistics() {
    return statistics;
  }

  /** Returns the DataNode of the last sequential read. */
  DatanodeInfo currentDatanode() {
    synchronized (stock) {
      return current == null ? stock.getCurrentDatanode() : current.localNode();
    }
  }

  /** Returns the block of the last sequential read. */
  ExtendedBlock currentBlock() {
    synchronized (stock) {
      try {
        return current == null ? stock.getCurrentBlock() : current.name();
      } catch (IOException e) {
        return stock.getCurrentBlock();
      }
    }
  }

  @Override
  public void seek(long position) throws IOException {
    synchronized (stock) {
      if (position != stock.getPos()) {
        newSource = null;
      }
      stock.seek(position);
    }
  }

  @Override
  public long getPos() {
    return stock.getPos();
  }

  /**
   * Changes to another DataNode than that of the last sequential read, if there is one. The caller
   * does not trust the read bytes, so the stock stream reads the block from there, not its mapping.
   */
  @Override
  public boolean seekToNewSource(long position) throws IOException {
    synchronized (stock) {
      boolean found = false;
      if (current != null && !isAt(current.localNode())) {
        // The stock stream has not read from that DataNode. Now it connects to the nearest one. Of
        // two DataNodes at the same distance, that may be the other one already.
        stock.seekToNewSource(position);
        found = !isAt(current.localNode());
      }
      found = found || stock.seekToNewSource(position);
      current = null;
      newSource = found && covers(position) ? blocks.at(position) : null;
      return found;
    }
  }

  private boolean isAt(DatanodeInfo node) {
    DatanodeInfo last = stock.getCurrentDatanode();
    return node == null || node.equals(last);
  }

  /** Returns whether the caller requested this block from another DataNode. */
  private boolean isOfNewSource(long position) {
    if (newSource != null && newSource != blocks.at(position)) {
      newSource = null;
    }
    return newSource != null;
  }

  @Override
  public long skip(long bytes) throws IOException {
    return stock.skip(bytes);
  }

  @Override
  public int available() throws IOException {
    return stock.available();
  }

  @Override
  public void setReadahead(Long readahead) throws IOException {
    stock.setReadahead(readahead);
  }

  @Override
  public void setDropBehind(Boolean dropBehind) throws IOException {
    stock.setDropBehind(dropBehind);
  }

  @Override
  public void unbuffer() {
    synchronized (stock) {
      newSource = null;
      stock.unbuffer();
    }
  }

  @Override
  public boolean hasCapability(String capability) {
    return stock.hasCapability(capability);
  }

  /** Closes the stream. Slices stay valid and pinned until they are released. */
  @Override
  public void close() throws IOException {
    synchronized (stock) {
      if (!closed && !slices.isEmpty()) {
        LOG.warn(
            "{} was closed while {} of its slices were in use; release slices before the "
                + "close",
            stock,
            slices.size());
      }
      closed = true;
    }
    stock.close();
  }

  @Override
  public String toString() {
    return "MappedInputStream of " + stock;
  }
}
