package org.fastpath.tools.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.fastpath.tools.conf.Role;

/**
 * The answer of one daemon.
 *
 * @param address its web address
 * @param role empty if the daemon did not say
 * @param failure reason why it did not answer, if so
 * @param beans its MBeans by name
 */
record DaemonReport(
    String address,
    Optional<Role> role,
    Optional<Failure> failure,
    List<FeatureReport> features,
    Map<String, JsonNode> beans) {

  /** The reason why a daemon could not be asked, with the remedy. */
  record Failure(Kind kind, String text, String remedy) {}

  static DaemonReport failed(String address, Optional<Role> role, Failure failure) {
    return new DaemonReport(address, role, Optional.of(failure), List.of(), Map.of());
  }

  /** Its host, without the port. */
  String host() {
    return new Target(role, address).host();
  }

  /** Returns its role and address for an operator. */
  String label() {
    return role.map(r -> r.label() + " ").orElse("") + address.substring(address.indexOf("//") + 2);
  }

  boolean is(Role wanted) {
    return role.filter(wanted::equals).isPresent();
  }

  /** Returns a feature, if the daemon publishes it. */
  Optional<FeatureReport> feature(String name) {
    return features.stream().filter(f -> f.feature().equals(name)).findFirst();
  }

  /** Returns a numeric attribute of an MBean. */
  OptionalLong number(String bean, String attribute) {
    JsonNode value = attribute(bean, attribute);
    return value.isNumber() ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
  }

  /** Returns an attribute of an MBean; a missing node if there is none. */
  JsonNode attribute(String bean, String attribute) {
    JsonNode node = beans.get(bean);
    return node == null ? MissingNode.getInstance() : node.path(attribute);
  }
}
