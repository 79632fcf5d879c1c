package org.fastpath.bench.story;

/** Big-endian reads at an offset, as HBase parses cells: what all contenders can do. */
interface Memory {
  long longAt(int offset);

  int intAt(int offset);

  short shortAt(int offset);

  byte byteAt(int offset);
}
