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
 * A stream that reads from mappings what is mapped and everything else by the stock stream, which
 * it owns. Whatever is not a plain read within the file is left to the stock stream as well, and so
 * are all exceptions.
 *
 * <p>The stock stream has the position of sequential reads, and its monitor is held while the
 * position and the bytes are brought together. Positional reads take no lock and, where the block
 * is mapped, allocate nothing. As safe for several threads as a stock stream.
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

  // Under the stock stream's monitor.
  private final Map<ByteBuffer, Mapping> slices = new IdentityHashMap<>();
  private final ByteBuffer oneByte = ByteBuffer.allocate(1);
  private FileBlocks.Block current;

  /** The block that is read by the stock stream only, after {@link #seekToNewSource}; or null. */
  private FileBlocks.Block newSource;

  /**
   * Takes over a stock stream.
   *
   * @param verified whether slices are of locked memory only, unless the read asks for no checksums
   * @param copiesAnchoredOnly whether reads are copied out of locked memory only
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
   * Copies from a block's mapping, into an array or a buffer.
   *
   * @return false if that was not possible and the stock stream has to read
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
   * Ends the read of an interrupted thread, as a stock read of a file's channel ends. The channel
   * itself stays open: other streams share it.
   */
  private static void requireNotInterrupted() throws ClosedByInterruptException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
  }

  /** A slice of the file at a position, up to the end of its block at most; null if not mapped. */
  Slice slice(long position, int length) {
    FileBlocks.Block block = covers(position) ? blocks.at(position) : null;
    Mapping mapping = block == null ? null : block.pin(copiesAnchoredOnly);
    if (mapping == null) {
      ZeroCopyMetrics.fallback(block == null ? Fallback.FAILED : block.why());
      return null;
    }
    int part = partOf(block, position, length);
    sliced(mapping, part);
    return new Slice(mapping, (int) (position - block.start()), part);
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

  /** Reads at the position and moves it; 0 if that is for the stock stream to do. */
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
   * The stock stream's block counts from here on, unless it has nothing to read: at the end of the
   * file it keeps the block of the read before.
   */
  private void leaveToStock(long position) {
    if (position < blocks.length()) {
      current = null;
    }
  }

  /**
   * Moves the position behind what was read from a mapping. The stock stream would keep what it
   * last read from open for as long as all reads are from mappings: descriptors, or a connection
   * with a thread of the DataNode that holds on to the block's volume.
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
   * A stock stream that finds no DataNode in a zero-copy read believes to be within the block all
   * the same, and fails at the next seek with a NullPointerException. Behind the end of the file it
   * forgets the block.
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

  /** The DataNode of the last sequential read. */
  DatanodeInfo currentDatanode() {
    synchronized (stock) {
      return current == null ? stock.getCurrentDatanode() : current.localNode();
    }
  }

  /** The block of the last sequential read. */
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
   * Leaves the DataNode of the last sequential read for another one, if there is one. The caller
   * does not trust what it read, so the stock stream reads the block from there, not its mapping.
   */
  @Override
  public boolean seekToNewSource(long position) throws IOException {
    synchronized (stock) {
      if (current != null && !isAt(current.localNode())) {
        // The stock stream has not read from it. It connects there, as to the nearest one.
        stock.seekToNewSource(position);
      }
      boolean found = stock.seekToNewSource(position);
      current = null;
      newSource = found && covers(position) ? blocks.at(position) : null;
      return found;
    }
  }

  private boolean isAt(DatanodeInfo node) {
    DatanodeInfo last = stock.getCurrentDatanode();
    return node == null || node.equals(last);
  }

  /** Whether the caller wanted this block from another DataNode. */
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

  /** Slices that were not given back stay valid, and pinned, until they are. */
  @Override
  public void close() throws IOException {
    synchronized (stock) {
      if (!closed && !slices.isEmpty()) {
        LOG.warn("{} is closed while {} of its slices are in use", stock, slices.size());
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
