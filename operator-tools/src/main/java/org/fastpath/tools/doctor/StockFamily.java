package org.fastpath.tools.doctor;

/** A column family that asks for an encoding with compressed tags. */
record StockFamily(String table, String family, String encoding) {}
