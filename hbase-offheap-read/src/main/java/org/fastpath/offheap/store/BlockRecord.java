package org.fastpath.offheap.store;

/** Reads the record of a block that another object of the caller holds. */
public final class BlockRecord extends HeldBlock {
  BlockRecord(BlockStore store, int entry) {
    super(store, entry);
  }

  @Override
  public String toString() {
    return "block of entry " + entry() + ", " + length() + " bytes";
  }
}
