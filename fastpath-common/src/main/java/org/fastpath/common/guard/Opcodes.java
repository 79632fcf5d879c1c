package org.fastpath.common.guard;

/** Knows the operands of each instruction (JVMS 6.5). */
final class Opcodes {
  static final int LDC = 18;
  static final int LDC_W = 19;
  static final int LDC2_W = 20;
  static final int GOTO = 167;
  static final int JSR = 168;
  static final int TABLESWITCH = 170;
  static final int LOOKUPSWITCH = 171;
  static final int WIDE = 196;
  static final int GOTO_W = 200;
  static final int JSR_W = 201;
  static final int IINC = 132;

  /** The kinds of operands. */
  static final char NONE = '.';

  static final char BYTE = 'b';
  static final char SHORT = 's';
  static final char CONSTANT = 'c';
  static final char CONSTANT_W = 'C';
  static final char INCREMENT = 'i';
  static final char JUMP = 'j';
  static final char JUMP_W = 'J';
  static final char TABLE = 't';
  static final char LOOKUP = 'l';
  static final char REFERENCE = 'r';
  static final char INTERFACE_CALL = 'I';
  static final char DYNAMIC_CALL = 'd';
  static final char ARRAYS = 'a';
  static final char WIDENED = 'w';
  static final char UNKNOWN = '?';

  private static final String KINDS =
      ".".repeat(16) // constants
          + "bs" // bipush, sipush
          + "cCC" // ldc
          + "bbbbb" // loads
          + ".".repeat(28)
          + "bbbbb" // stores
          + ".".repeat(73)
          + "i" // iinc
          + ".".repeat(20)
          + "j".repeat(16) // ifs, goto, jsr
          + "b" // ret
          + "tl" // switches
          + ".".repeat(6) // returns
          + "rrrr" // fields
          + "rrr" // calls
          + "I"
          + "d"
          + "r" // new
          + "b" // newarray
          + "r" // anewarray
          + ".." // arraylength, athrow
          + "rr" // checkcast, instanceof
          + ".." // monitors
          + "w"
          + "a" // multianewarray
          + "jj" // ifnull, ifnonnull
          + "JJ"; // goto_w, jsr_w

  private Opcodes() {}

  static char kind(int opcode) {
    return opcode < KINDS.length() ? KINDS.charAt(opcode) : UNKNOWN;
  }
}
