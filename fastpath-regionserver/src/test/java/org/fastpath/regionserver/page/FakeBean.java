package org.fastpath.regionserver.page;

import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** An MBean with any attributes, as Metrics2 has them. */
final class FakeBean implements DynamicMBean {
  private final Map<String, Object> values = new LinkedHashMap<>();

  static FakeBean source(MBeanServer server, String source) throws JMException {
    return at(server, "Hadoop:service=HBase,name=RegionServer,sub=" + source);
  }

  static FakeBean at(MBeanServer server, String name) throws JMException {
    FakeBean bean = new FakeBean();
    server.registerMBean(bean, new ObjectName(name));
    return bean;
  }

  static void feature(MBeanServer server, String feature, String state, String reason)
      throws JMException {
    at(server, "org.fastpath:type=Feature,name=" + feature)
        .with("Feature", feature)
        .with("Module", "some-jar")
        .with("Version", "1.2.3")
        .with("State", state)
        .with("Reason", reason);
  }

  FakeBean with(String name, Object value) {
    values.put(name, value);
    return this;
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    if (!values.containsKey(name)) {
      throw new AttributeNotFoundException(name);
    }
    return values.get(name);
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList list = new AttributeList();
    for (String name : names) {
      list.add(values.containsKey(name) ? new Attribute(name, values.get(name)) : null);
    }
    return list;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] infos =
        values.keySet().stream()
            .map(name -> new MBeanAttributeInfo(name, "java.lang.Object", "", true, false, false))
            .toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(FakeBean.class.getName(), "", infos, null, null, null);
  }

  @Override
  public void setAttribute(Attribute attribute) {
    throw new UnsupportedOperationException();
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object invoke(String name, Object[] arguments, String[] signature) {
    throw new UnsupportedOperationException();
  }
}
