package org.fastpath.tools.install;

/**
 * A key that a module needs in a site file.
 *
 * @param rule what happens where somebody else has set the key
 */
record Setting(Module module, String key, String value, Rule rule) {
  /** What happens where somebody else has set the key. */
  enum Rule {
    /** One class: that of somebody else stays, and the installation is refused. */
    SINGLE_CLASS,
    /** A list of classes: ours come behind the others. */
    CLASS_LIST,
    /** Nothing is set, but a class of somebody else is a refusal: a class of ours sets the key. */
    UNTAKEN,
    /** Another value stays, and the installation is refused. */
    REQUIRED
  }

  static Setting single(Module module, String key, String className) {
    return new Setting(module, key, className, Rule.SINGLE_CLASS);
  }

  static Setting list(Module module, String key, String className) {
    return new Setting(module, key, className, Rule.CLASS_LIST);
  }

  static Setting untaken(Module module, String key) {
    return new Setting(module, key, "", Rule.UNTAKEN);
  }

  static Setting required(Module module, String key, String value) {
    return new Setting(module, key, value, Rule.REQUIRED);
  }
}
