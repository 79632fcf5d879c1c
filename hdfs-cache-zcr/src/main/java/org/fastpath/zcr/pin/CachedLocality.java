package org.fastpath.zcr.pin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the share of locked memory that is local to its readers, while a balancer tries
 * placements of regions. Regions and servers are the balancer's numbers.
 *
 * <p>Sums are whole bytes, so they stay exact after millions of moves and reverse moves. A move
 * costs a search among the few hosts that have the region, and nothing for a region without such a
 * host.
 *
 * <p>Not thread-safe.
 */
public final class CachedLocality {
  /** The locality of no region; its cost is zero. */
  public static final CachedLocality NONE =
      new CachedLocality(CachedBytes.NONE, List.of(), List.of());

  private final int[] hostOfServer;
  private final Share[] shares;
  private long best;
  private long present;

  /** The bytes of one region by host, and a server on the host with the most. */
  private record Share(int[] hosts, long[] bytes, int bestServer) {
    long on(int host) {
      for (int i = 0; i < hosts.length; i++) {
        if (hosts[i] == host) {
          return bytes[i];
        }
      }
      return 0;
    }
  }

  /**
   * Makes the locality before any region is on a server.
   *
   * @param regions encoded names, by number
   * @param hosts of the servers, in lower case, by number
   */
  public CachedLocality(CachedBytes cached, List<String> regions, List<String> hosts) {
    Map<String, Integer> serverOfHost = new HashMap<>();
    hostOfServer = new int[hosts.size()];
    for (int server = 0; server < hosts.size(); server++) {
      Integer first = serverOfHost.putIfAbsent(hosts.get(server), server);
      hostOfServer[server] = first == null ? server : first;
    }
    shares = new Share[regions.size()];
    for (int region = 0; region < shares.length; region++) {
      shares[region] = share(cached.of(regions.get(region)), serverOfHost);
      best += bytes(region, mostCached(region));
    }
  }

  /**
   * Returns the share of a region, or null if no host has any. The number of its first server
   * identifies a host.
   */
  private static Share share(Map<String, Long> byHost, Map<String, Integer> serverOfHost) {
    List<Map.Entry<String, Long>> here =
        byHost.entrySet().stream()
            .filter(entry -> entry.getValue() > 0 && serverOfHost.containsKey(entry.getKey()))
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .toList();
    if (here.isEmpty()) {
      return null;
    }
    int[] hosts = here.stream().mapToInt(entry -> serverOfHost.get(entry.getKey())).toArray();
    long[] bytes = here.stream().mapToLong(Map.Entry::getValue).toArray();
    return new Share(hosts, bytes, hosts[0]);
  }

  /** Returns whether the placement of regions makes a difference. */
  public boolean matters() {
    return best > 0;
  }

  /** Reports that a region changed servers; -1 means none. */
  public void move(int region, int from, int to) {
    present += bytes(region, to) - bytes(region, from);
  }

  /** Returns the bytes of a region in locked memory local to a server; 0 for -1. */
  public long bytes(int region, int server) {
    Share share = shares[region];
    return share == null || server < 0 ? 0 : share.on(hostOfServer[server]);
  }

  /** Returns a server with the most of a region in local locked memory; -1 if there is none. */
  public int mostCached(int region) {
    return shares[region] == null ? -1 : shares[region].bestServer();
  }

  /**
   * Returns the part of the bytes that could be local to their regions and are not: 0 is best, 1
   * worst.
   */
  public double cost() {
    return best == 0 ? 0 : 1 - (double) present / best;
  }
}
