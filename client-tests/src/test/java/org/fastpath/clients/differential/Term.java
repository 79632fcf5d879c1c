package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A filter as text: a name with terms in parentheses, or a word.
 *
 * @param terms the terms; null for a word
 */
record Term(String name, List<Term> terms) {
  private static final String ENDS = "(),";

  static Term parse(String text) {
    int[] at = {0};
    Term term = parse(text, at);
    if (at[0] != text.length()) {
      throw new IllegalArgumentException("more than one term: " + text);
    }
    return term;
  }

  private static Term parse(String text, int[] at) {
    int begin = at[0];
    while (at[0] < text.length() && ENDS.indexOf(text.charAt(at[0])) < 0) {
      at[0]++;
    }
    String name = text.substring(begin, at[0]);
    if (at[0] == text.length() || text.charAt(at[0]) != '(') {
      return new Term(name, null);
    }
    List<Term> terms = new ArrayList<>();
    do {
      at[0]++;
      if (text.charAt(at[0]) != ')') {
        terms.add(parse(text, at));
      }
    } while (text.charAt(at[0]) == ',');
    at[0]++;
    return new Term(name, List.copyOf(terms));
  }

  boolean isWord() {
    return terms == null;
  }

  /** Returns the word at an index, or an empty one after the last. */
  String word(int index) {
    return index < terms.size() ? terms.get(index).name() : "";
  }

  /** Returns all words from an index on. */
  List<String> words(int from) {
    return terms.subList(from, terms.size()).stream().map(Term::name).toList();
  }

  /**
   * Returns the terms that are one step simpler: a filter instead of its parent, or one filter
   * less.
   */
  List<Term> simpler() {
    List<Term> simpler = new ArrayList<>();
    if (isWord()) {
      return simpler;
    }
    terms.stream().filter(each -> !each.isWord()).forEach(simpler::add);
    for (int i = 0; i < terms.size(); i++) {
      if (!terms.get(i).isWord()) {
        if (terms.size() > 1) {
          List<Term> rest = new ArrayList<>(terms);
          rest.remove(i);
          simpler.add(new Term(name, List.copyOf(rest)));
        }
        for (Term each : terms.get(i).simpler()) {
          List<Term> changed = new ArrayList<>(terms);
          changed.set(i, each);
          simpler.add(new Term(name, List.copyOf(changed)));
        }
      }
    }
    return simpler;
  }

  @Override
  public String toString() {
    return isWord()
        ? name
        : name + terms.stream().map(Term::toString).collect(Collectors.joining(",", "(", ")"));
  }
}
