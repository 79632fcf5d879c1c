package org.fastpath.tools.doctor;

/** A column family whose encoding compresses tags. */
record StockFamily(String table, String family, String encoding) {}
