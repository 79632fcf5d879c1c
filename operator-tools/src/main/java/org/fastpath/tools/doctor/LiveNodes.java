package org.fastpath.tools.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;

/** The DataNodes that a NameNode lists in its MBean. */
final class LiveNodes {
  private LiveNodes() {}

  /** Returns their descriptions; empty if the daemon is no NameNode. */
  static List<JsonNode> of(DaemonReport nameNode) {
    JsonNode text = nameNode.attribute(Beans.NAMENODE, "LiveNodes");
    List<JsonNode> nodes = new ArrayList<>();
    if (text.isTextual()) {
      parse(text.asText()).forEach(nodes::add);
    }
    return nodes;
  }

  /** Parses an attribute, which is JSON within JSON. */
  private static JsonNode parse(String text) {
    try {
      return new JsonMapper().readTree(text);
    } catch (JsonProcessingException e) {
      return new JsonMapper().createObjectNode();
    }
  }
}
