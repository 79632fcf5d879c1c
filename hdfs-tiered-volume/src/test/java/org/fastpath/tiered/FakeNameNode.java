package org.fastpath.tiered;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.util.DataChecksum;

/**
 * A NameNode in memory. It has one block a file and one DataNode with a volume of each type. It
 * counts its calls and answers after a delay. Classes under test reach it through a {@code
 * DistributedFileSystem}, as they reach a real one. Thread-safe.
 */
public final class FakeNameNode implements InvocationHandler {
  private static final BlockStoragePolicySuite POLICIES =
      BlockStoragePolicySuite.createDefaultSuite();
  private static final ErasureCodingPolicy CODING =
      SystemErasureCodingPolicies.getPolicies().get(0);
  private static final String RESERVED = "/.reserved/.inodes/";
  private static final long BYTES = 1 << 20;
  private static final int LISTING = 1_000;
  private static final long ROOM = 1L << 50;

  private final Map<Long, Node> inodes = new HashMap<>();
  private final Map<String, Long> calls = new ConcurrentHashMap<>();
  private final Set<String> listed = new HashSet<>();
  private final Map<String, Error> errors = new HashMap<>();
  private final Map<String, IOException> lost = new HashMap<>();
  private final Map<StorageType, Long> room = new HashMap<>();
  private final DatanodeInfo dataNode =
      new DatanodeInfoBuilder()
          .setNodeID(new DatanodeID("127.0.0.1", "datanode", "datanode", 1, 2, 3, 4))
          .setNetworkLocation("/rack")
          .build();
  private final LongSupplier clock;
  private final Node root;
  private long nextInode = 16_385;
  private long latencyNanos;
  private boolean resolvesInodes = true;

  private static final class Node {
    private final long inode;
    private final NavigableMap<String, Node> children;
    private Node parent;
    private String name;
    private long modified;
    private byte policy;
    private StorageType type = StorageType.DISK;
    private boolean open;
    private boolean coded;
    private Map<String, byte[]> attributes = Map.of();

    Node(long inode, boolean isDirectory) {
      this.inode = inode;
      children = isDirectory ? new TreeMap<>() : null;
    }

    byte effectivePolicy() {
      for (Node node = this; node != null; node = node.parent) {
        if (node.policy != 0) {
          return node.policy;
        }
      }
      return 0;
    }
  }

  /**
   * @param clock milliseconds
   */
  public FakeNameNode(LongSupplier clock) {
    this.clock = clock;
    root = node("", true);
    Arrays.stream(StorageType.values()).forEach(type -> room.put(type, ROOM));
  }

  private Node node(String name, boolean isDirectory) {
    Node node = new Node(nextInode++, isDirectory);
    node.name = name;
    node.modified = clock.getAsLong();
    inodes.put(node.inode, node);
    return node;
  }

  /** The protocol for clients of HDFS. */
  public ClientProtocol protocol() {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            FakeNameNode.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class, Closeable.class},
            this);
  }

  /** Lets each call take so long from now on. */
  public synchronized void latency(long millis) {
    latencyNanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Finds no file by its inode, as a router of a federation. */
  public synchronized void resolveNoInodes() {
    resolvesInodes = false;
  }

  /** Bytes that volumes of a type still take. */
  public synchronized void room(StorageType type, long bytes) {
    room.put(type, bytes);
  }

  /** Calls until now. */
  public synchronized long calls() {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Calls until now, by their names. */
  public synchronized Map<String, Long> callsByName() {
    return Map.copyOf(calls);
  }

  /** Returns whether a directory has been listed. */
  public synchronized boolean wasListed(String path) {
    return listed.contains(path);
  }

  /** Counts calls that a test does not make. */
  public synchronized void count(String name, long times) {
    calls.merge(name, times, Long::sum);
  }

  /** Has the next call of that name, or of that name and path, end with an error in the client. */
  public synchronized void breakNext(String name, Error error) {
    errors.put(name, error);
  }

  /** Carries out the next call of that name, but its answer is lost. */
  public synchronized void loseAnswer(String name) {
    lost.put(name, new IOException("the answer of " + name + " is lost"));
  }

  /** Returns whether an error that was asked for has not been thrown yet. */
  public synchronized boolean isToBreak() {
    return !errors.isEmpty() || !lost.isEmpty();
  }

  // Operations of a test on files, which count as no call.

  /** Makes a file that is on volumes of a type; returns its inode. */
  public synchronized long addFile(String path, StorageType type) {
    Node parent = directory(path.substring(0, path.lastIndexOf('/')));
    Node file = add(parent, node(path.substring(path.lastIndexOf('/') + 1), false));
    file.type = type;
    return file.inode;
  }

  /** Has a file be an erasure-coded one. */
  public synchronized void code(String path) {
    find(path).coded = true;
  }

  public synchronized void addDirectory(String path) {
    directory(path);
  }

  private Node directory(String path) {
    Node node = root;
    for (String name : path.split("/")) {
      if (!name.isEmpty()) {
        Node parent = node;
        Node child = node.children.get(name);
        node = child == null ? add(parent, node(name, true)) : child;
      }
    }
    return node;
  }

  private Node add(Node parent, Node child) {
    child.parent = parent;
    parent.children.put(child.name, child);
    parent.modified = clock.getAsLong();
    return child;
  }

  public synchronized void remove(String path) {
    remove(find(path));
  }

  private void remove(Node node) {
    node.parent.children.remove(node.name);
    node.parent.modified = clock.getAsLong();
    forget(node);
  }

  private void forget(Node node) {
    inodes.remove(node.inode);
    if (node.children != null) {
      node.children.values().forEach(this::forget);
    }
  }

  /** Moves a file's replica to where its policy wants it; false if there is no room. */
  public synchronized boolean place(long inode) {
    Node file = inodes.get(inode);
    if (file == null) {
      return true;
    }
    StorageType wanted = wanted(file);
    if (wanted != file.type && room.get(wanted) < BYTES) {
      return false;
    }
    room.merge(file.type, BYTES, Long::sum);
    room.merge(wanted, -BYTES, Long::sum);
    file.type = wanted;
    return true;
  }

  /** Moves a replica as a DataNode does that was asked to. */
  public synchronized void move(long block, StorageType to) {
    Node file = inodes.get(block);
    if (file != null) {
      file.type = to;
    }
  }

  private static StorageType wanted(Node file) {
    BlockStoragePolicy policy = POLICIES.getPolicy(file.effectivePolicy());
    return (policy == null ? POLICIES.getDefaultPolicy() : policy)
        .chooseStorageTypes((short) 1)
        .get(0);
  }

  /** Files below a directory that are not where their policies want them. */
  public synchronized long misplaced(String path) {
    return misplaced(find(path));
  }

  private static long misplaced(Node node) {
    return node.children == null
        ? (wanted(node) == node.type ? 0 : 1)
        : node.children.values().stream().mapToLong(FakeNameNode::misplaced).sum();
  }

  /** Returns the type of the volume that has a file. */
  public synchronized StorageType type(String path) {
    return find(path).type;
  }

  // Operations of clients.

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    long latency;
    Object answer;
    synchronized (this) {
      calls.merge(method.getName(), 1L, Long::sum);
      latency = latencyNanos;
      answer = answer(method.getName(), arguments);
      IOException failure = lost.remove(method.getName());
      if (failure != null) {
        throw failure;
      }
    }
    if (latency > 0) {
      LockSupport.parkNanos(latency);
    }
    return answer;
  }

  private Object answer(String method, Object... arguments) throws IOException {
    Error error = errors.remove(method);
    if (error == null && arguments != null && arguments.length > 0) {
      error = errors.remove(method + " " + arguments[0]);
    }
    if (error != null) {
      throw error;
    }
    return switch (method) {
      case "getFileInfo" -> status(find((String) arguments[0]), false, false);
      case "getLocatedFileInfo" -> status(find((String) arguments[0]), true, false);
      case "getListing" ->
          list((String) arguments[0], (byte[]) arguments[1], (Boolean) arguments[2]);
      case "create" -> create((String) arguments[0]);
      case "complete" -> complete((String) arguments[0]);
      case "append" -> throw new IOException("nobody appends here");
      case "mkdirs" -> directory((String) arguments[0]) != null;
      case "delete" -> delete((String) arguments[0]);
      case "rename2" -> rename((String) arguments[0], (String) arguments[1]);
      case "setTimes" -> touch((String) arguments[0], (Long) arguments[1]);
      case "setXAttr" -> setAttribute((String) arguments[0], (XAttr) arguments[1]);
      case "getXAttrs" -> attributes((String) arguments[0]);
      case "setStoragePolicy" -> setPolicy((String) arguments[0], (String) arguments[1]);
      case "unsetStoragePolicy" -> setPolicy((String) arguments[0], null);
      case "getStoragePolicies" -> POLICIES.getAllPolicies();
      case "getServerDefaults" ->
          new FsServerDefaults(
              BYTES, 512, 4096, (short) 1, 4096, false, 0, DataChecksum.Type.CRC32C, "", (byte) 0);
      case "getDatanodeStorageReport" -> new DatanodeStorageReport[] {report()};
      case "upgradeStatus" -> true;
      case "setPermission", "setOwner", "renewLease", "close" -> null;
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private Node find(String path) {
    if (path.startsWith(RESERVED)) {
      return resolvesInodes ? inodes.get(Long.parseLong(path.substring(RESERVED.length()))) : null;
    }
    Node node = root;
    for (String name : path.split("/")) {
      if (!name.isEmpty()) {
        node = node == null || node.children == null ? null : node.children.get(name);
      }
    }
    return node;
  }

  private Node require(String path) throws FileNotFoundException {
    Node node = find(path);
    if (node == null) {
      throw new FileNotFoundException(path);
    }
    return node;
  }

  private HdfsFileStatus status(Node node, boolean located, boolean named) {
    if (node == null) {
      return null;
    }
    boolean isDirectory = node.children != null;
    HdfsFileStatus.Builder builder =
        new HdfsFileStatus.Builder()
            .isdir(isDirectory)
            .length(isDirectory ? 0 : BYTES)
            .replication(isDirectory ? 0 : 1)
            .blocksize(BYTES)
            .mtime(node.modified)
            .perm(FsPermission.getDirDefault())
            .owner(System.getProperty("user.name"))
            .group("supergroup")
            .path(named ? node.name.getBytes(StandardCharsets.UTF_8) : HdfsFileStatus.EMPTY_NAME)
            .fileId(node.inode)
            .storagePolicy(node.effectivePolicy())
            .ecPolicy(node.coded ? CODING : null);
    return located && !isDirectory ? builder.locations(blocks(node)).build() : builder.build();
  }

  private LocatedBlocks blocks(Node file) {
    String storage = "DS-" + file.type;
    LocatedBlock block =
        new LocatedBlock(
            new ExtendedBlock("pool", file.inode, BYTES, 1),
            new DatanodeInfoWithStorage[] {
              new DatanodeInfoWithStorage(dataNode, storage, file.type)
            },
            new String[] {storage},
            new StorageType[] {file.type},
            0,
            false,
            null);
    List<LocatedBlock> blocks = file.open ? List.of() : List.of(block);
    return new LocatedBlocks(
        BYTES, file.open, blocks, file.open ? null : block, !file.open, null, null);
  }

  private DirectoryListing list(String path, byte[] after, boolean located) {
    listed.add(path);
    Node node = find(path);
    if (node == null) {
      return null;
    }
    NavigableMap<String, Node> left =
        node.children.tailMap(new String(after, StandardCharsets.UTF_8), false);
    List<HdfsFileStatus> page = new ArrayList<>();
    for (Node child : left.values()) {
      if (page.size() == LISTING) {
        break;
      }
      page.add(status(child, located, true));
    }
    int remaining = page.size() < LISTING ? 0 : left.size() - page.size();
    return new DirectoryListing(page.toArray(HdfsFileStatus[]::new), remaining);
  }

  private HdfsFileStatus create(String path) throws IOException {
    if (find(path) != null) {
      throw new FileAlreadyExistsException(path);
    }
    Path full = new Path(path);
    Node file = add(directory(full.getParent().toString()), node(full.getName(), false));
    file.open = true;
    return status(file, false, false);
  }

  private boolean complete(String path) throws IOException {
    require(path).open = false;
    return true;
  }

  private boolean delete(String path) {
    Node node = find(path);
    if (node != null) {
      remove(node);
    }
    return node != null;
  }

  private Object rename(String from, String to) throws IOException {
    Node node = require(from);
    Path target = new Path(to);
    node.parent.children.remove(node.name);
    node.parent.modified = clock.getAsLong();
    node.name = target.getName();
    add(directory(target.getParent().toString()), node);
    return null;
  }

  private Object touch(String path, long modified) throws IOException {
    require(path).modified = modified;
    return null;
  }

  private Object setAttribute(String path, XAttr attribute) throws IOException {
    require(path).attributes = Map.of(attribute.getName(), attribute.getValue());
    return null;
  }

  private List<XAttr> attributes(String path) throws IOException {
    List<XAttr> attributes = new ArrayList<>();
    require(path)
        .attributes
        .forEach(
            (name, value) ->
                attributes.add(
                    new XAttr.Builder()
                        .setNameSpace(XAttr.NameSpace.USER)
                        .setName(name)
                        .setValue(value)
                        .build()));
    return Collections.unmodifiableList(attributes);
  }

  private Object setPolicy(String path, String policy) throws IOException {
    require(path).policy = policy == null ? 0 : POLICIES.getPolicy(policy).getId();
    return null;
  }

  private DatanodeStorageReport report() {
    StorageReport[] volumes =
        room.entrySet().stream()
            .map(
                entry ->
                    new StorageReport(
                        new DatanodeStorage(
                            "DS-" + entry.getKey(), DatanodeStorage.State.NORMAL, entry.getKey()),
                        false,
                        ROOM,
                        0,
                        entry.getValue(),
                        0,
                        0))
            .toArray(StorageReport[]::new);
    return new DatanodeStorageReport(dataNode, volumes);
  }
}
