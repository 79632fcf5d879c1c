package org.fastpath.tools.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** The DataNodes that a NameNode lists in its MBean. */
final class LiveNodes {
  private LiveNodes() {}

  /**
   * Returns their descriptions by {@code HOST:PORT} of their data transfer; empty if the daemon is
   * no NameNode.
   */
  static Map<String, JsonNode> of(DaemonReport nameNode) {
    JsonNode text = nameNode.attribute(Beans.NAMENODE, "LiveNodes");
    Map<String, JsonNode> nodes = new LinkedHashMap<>();
    if (text.isTextual()) {
      parse(text.asText())
          .fields()
          .forEachRemaining(node -> nodes.put(node.getKey(), node.getValue()));
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
