/** The command line of the benchmarks. Rooms of experiments use the engine, and no other room. */
package org.fastpath.bench;
