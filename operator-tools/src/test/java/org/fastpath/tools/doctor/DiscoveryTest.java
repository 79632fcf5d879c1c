package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.conf.Site;
import org.fastpath.tools.conf.SiteProperty;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
  @Test
  void nameNodesOfAllServicesAreFound() {
    Site site =
        site(
            "dfs.nameservices", "a,b",
            "dfs.ha.namenodes.a", "n1,n2",
            "dfs.namenode.http-address.a.n1", "one:9870",
            "dfs.namenode.http-address.a.n2", "two:9870",
            "dfs.namenode.http-address.b", "three:9870");
    assertThat(addresses(Discovery.nameNodes(site)))
        .containsExactly("http://one:9870", "http://two:9870", "http://three:9870");
  }

  @Test
  void httpsIsUsedWhereHdfsUsesIt() {
    Site site = site("dfs.http.policy", "HTTPS_ONLY", "dfs.namenode.https-address", "one:9871");
    assertThat(addresses(Discovery.nameNodes(site))).containsExactly("https://one:9871");
  }

  @Test
  void theDefaultFileSystemNamesTheNameNode() {
    assertThat(Discovery.usualNameNode(site("fs.defaultFS", "hdfs://nn:8020/")))
        .map(Target::address)
        .contains("http://nn:9870");
    assertThat(Discovery.usualNameNode(site("fs.defaultFS", "file:///"))).isEmpty();
    assertThat(Discovery.usualNameNode(site("fs.defaultFS", "hdfs://a", "dfs.nameservices", "a")))
        .isEmpty();
  }

  @Test
  void aNameNodeThatListensEverywhereIsAskedAtItsRpcHost() {
    String web = "dfs.namenode.http-address";
    assertThat(
            addresses(
                Discovery.nameNodes(
                    site(
                        "dfs.nameservices",
                        "a",
                        "dfs.ha.namenodes.a",
                        "n1,n2",
                        web + ".a.n1",
                        "0.0.0.0:9870",
                        web + ".a.n2",
                        "0.0.0.0:9870",
                        "dfs.namenode.rpc-address.a.n1",
                        "one:8020",
                        "dfs.namenode.rpc-address.a.n2",
                        "two:8020"))))
        .containsExactly("http://one:9870", "http://two:9870");
    assertThat(
            addresses(
                Discovery.nameNodes(site(web, "0.0.0.0:9870", "fs.defaultFS", "hdfs://nn:8020"))))
        .containsExactly("http://nn:9870");
  }

  @Test
  void anHMasterListsItsServers() throws Exception {
    JsonNode bean =
        new JsonMapper().readTree("{\"tag.liveRegionServers\":\"rs1,16020,17;rs2,16020,18\"}");
    DaemonReport master =
        new DaemonReport(
            "http://m:16010",
            Optional.of(Role.MASTER),
            Optional.empty(),
            List.of(),
            Map.of(Beans.MASTER, bean));
    assertThat(addresses(Discovery.regionServers(master, Optional.empty())))
        .containsExactly("http://rs1:16030", "http://rs2:16030");
  }

  @Test
  void dataNodesHaveTheirNames() {
    String nodes =
        """
        {"dn1.example.com:9866":{"infoAddr":"10.0.0.5:9864","infoSecureAddr":"10.0.0.5:9865"},
        "10.0.0.6:9866":{"infoAddr":"10.0.0.6:9864","infoSecureAddr":"10.0.0.6:0"}}""";
    assertThat(addresses(Discovery.dataNodes(nameNode("http://nn:9870", nodes))))
        .containsExactly("http://dn1.example.com:9864", "http://10.0.0.6:9864");
    assertThat(addresses(Discovery.dataNodes(nameNode("https://nn:9871", nodes))))
        .containsExactly("https://dn1.example.com:9865");
  }

  private static DaemonReport nameNode(String address, String liveNodes) {
    return new DaemonReport(
        address,
        Optional.of(Role.NAMENODE),
        Optional.empty(),
        List.of(),
        Map.of(Beans.NAMENODE, new JsonMapper().createObjectNode().put("LiveNodes", liveNodes)));
  }

  @Test
  void addressesMayNameRoleAndScheme() {
    Target target = Target.parse("DataNode=https://dn1:9865/");
    assertThat(target).isEqualTo(Target.of(Role.DATANODE, "dn1:9865", true));
    assertThat(target.host()).isEqualTo("dn1");
    assertThat(Target.parse("rs1:16030").role()).isEmpty();
    assertThatThrownBy(() -> Target.parse("rs1"))
        .hasMessageContaining("[ROLE=][https://]HOST:PORT");
    assertThatThrownBy(() -> Target.parse("x=rs1:1")).hasMessageContaining("'x' is no role");
  }

  private static List<String> addresses(List<Target> targets) {
    return targets.stream().map(Target::address).toList();
  }

  private static Site site(String... namesAndValues) {
    List<SiteProperty> properties = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.add(
          new SiteProperty(
              namesAndValues[i], namesAndValues[i + 1], false, Path.of("hdfs-site.xml"), i));
    }
    return Site.of(properties);
  }
}
