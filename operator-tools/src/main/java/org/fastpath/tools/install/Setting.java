package org.fastpath.tools.install;

/**
 * A key that a module needs in a site file.
 *
 * @param rule for a key that is already set
 */
record Setting(Module module, String key, String value, Rule rule) {
  /** The rule for a key that is already set outside of our lines. */
  enum Rule {
    /** One class: another class stays, and the installation is rejected. */
    SINGLE_CLASS,
    /** A list of classes: ours follow the others. */
    CLASS_LIST,
    /**
     * No line is written, because a class of ours sets the key; another class causes a rejection.
     */
    UNTAKEN,
    /** Another value stays, and the installation is rejected. */
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
