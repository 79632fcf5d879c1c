package org.fastpath.tools.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import org.fastpath.tools.ToolsVersion;
import org.fastpath.tools.conf.Role;

/** Prints a diagnosis for machines. The names of its fields are an interface. */
final class JsonReport {
  private static final JsonMapper MAPPER = new JsonMapper();

  private JsonReport() {}

  static void print(Diagnosis diagnosis, int exitCode, PrintWriter out)
      throws JsonProcessingException {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("version", ToolsVersion.own());
    root.put("exitCode", exitCode);
    ArrayNode directories = root.putArray("directories");
    diagnosis.evidence().directories().forEach(d -> directories.add(d.directory().toString()));
    ArrayNode daemons = root.putArray("daemons");
    diagnosis.evidence().daemons().forEach(daemon -> add(daemons.addObject(), daemon));
    ArrayNode problems = root.putArray("problems");
    diagnosis.problems().forEach(problem -> add(problems.addObject(), problem));
    out.println(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root));
    out.flush();
  }

  private static void add(ObjectNode node, DaemonReport daemon) {
    node.put("address", daemon.address());
    node.put("role", daemon.role().map(Role::label).orElse(null));
    node.put("answers", daemon.failure().isEmpty());
    ArrayNode features = node.putArray("features");
    for (FeatureReport feature : daemon.features()) {
      features
          .addObject()
          .put("feature", feature.feature())
          .put("module", feature.module())
          .put("version", feature.version())
          .put("state", feature.state())
          .put("reason", feature.reason());
    }
  }

  private static void add(ObjectNode node, Problem problem) {
    node.put("kind", problem.kind().label())
        .put("severity", problem.severity().name())
        .put("where", problem.where())
        .put("text", problem.text())
        .put("remedy", problem.remedy());
  }
}
