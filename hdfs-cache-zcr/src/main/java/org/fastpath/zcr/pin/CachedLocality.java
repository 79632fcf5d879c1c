package org.fastpath.zcr.pin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of what DataNodes have in locked memory is beside the servers that read it, while a
 * balancer tries out where regions could be. Regions and servers are its numbers for them.
 *
 * <p>Sums are whole bytes, so that after millions of moves and moves back they are what they would
 * be if they were computed anew. A move costs a look at the few hosts that have the region, and
 * nothing for a region that no host has.
 *
 * <p>Not thread-safe.
 */
public final class CachedLocality {
  /** Of no region; its cost is zero. */
  public static final CachedLocality NONE =
      new CachedLocality(CachedBytes.NONE, List.of(), List.of());

  private final int[] hostOfServer;
  private final Share[] shares;
  private long best;
  private long present;

  /** What hosts have of one region, and a server on the host that has the most. */
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
   * Before any region is on a server.
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

  /** Null if no host of a server has anything. A host goes by the number of its first server. */
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

  /** Whether where regions are makes any difference. */
  public boolean matters() {
    return best > 0;
  }

  /** Tells that a region has changed servers; -1 is none. */
  public void move(int region, int from, int to) {
    present += bytes(region, to) - bytes(region, from);
  }

  /** Bytes of a region in locked memory beside a server; beside -1, none. */
  public long bytes(int region, int server) {
    Share share = shares[region];
    return share == null || server < 0 ? 0 : share.on(hostOfServer[server]);
  }

  /** A server beside which the most of a region is in locked memory; -1 if there is none. */
  public int mostCached(int region) {
    return shares[region] == null ? -1 : shares[region].bestServer();
  }

  /**
   * The part of the bytes that would be beside their regions if each region were where it has the
   * most, and are not: 0 is best, 1 worst.
   */
  public double cost() {
    return best == 0 ? 0 : 1 - (double) present / best;
  }
}
