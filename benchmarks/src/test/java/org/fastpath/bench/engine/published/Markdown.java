package org.fastpath.bench.engine.published;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.published.StoryPage.Finding;
import org.fastpath.bench.engine.published.StoryPage.Here;
import org.fastpath.bench.engine.published.StoryPage.Row;
import org.fastpath.bench.engine.published.StoryPage.Run;
import org.fastpath.bench.engine.published.StoryPage.Section;
import org.fastpath.bench.engine.report.Numbers;

/** Renders a page. Each reason is one footnote, and rows refer to its number. */
final class Markdown {
  private static final String NOTHING = "–";

  private final StoryPage page;
  private final Map<String, Published.Figure> figures;
  private final Map<String, Integer> notes = new LinkedHashMap<>();
  private final List<String> runs;

  private Markdown(StoryPage page, Published published) {
    this.page = page;
    this.figures = published.byId();
    this.runs = page.runs().stream().map(Run::id).toList();
  }

  static String of(StoryPage page, Published published) {
    return new Markdown(page, published).text();
  }

  private String text() {
    StringBuilder text = new StringBuilder("# " + page.title() + "\n\n");
    text.append("Written by `bin/fastpath results-pages` · ")
        .append("[how to read a page](README.md#how-to-read-a-page)\n\n")
        .append(page.issue() + ", " + page.year() + ". " + page.story() + "\n\n")
        .append(page.here() + "\n\n")
        .append("![Published and measured](" + page.page() + ".svg)\n");
    page.sections().forEach(section -> text.append(section(section)));
    if (!page.findings().isEmpty()) {
      text.append(findings());
    }
    return text.append(footnotes()).append(runs()).toString();
  }

  private String section(Section section) {
    String head = "\n## " + section.title() + "\n\n";
    String words = section.text() == null ? "" : section.text() + "\n\n";
    return head + words + table(section.rows());
  }

  private String table(List<Row> rows) {
    boolean published = rows.stream().anyMatch(row -> !published(row).equals(NOTHING));
    String head =
        published
            ? "| figure | published | here | rounds | kind | run | why |\n"
                + "|---|--:|--:|--:|---|--:|--:|\n"
            : "| figure | here | rounds | kind | run | why |\n|---|--:|--:|---|--:|--:|\n";
    return head + rows.stream().map(row -> row(row, published)).collect(Collectors.joining());
  }

  private String row(Row row, boolean published) {
    List<String> cells = new ArrayList<>(List.of(row.what()));
    if (published) {
      cells.add(published(row));
    }
    cells.addAll(
        List.of(here(row), rounds(row), row.kind().shown(), run(row.here()), note(row.note())));
    return line(cells);
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private String published(Row row) {
    if (row.published() != null) {
      return row.published();
    }
    return row.figures().isEmpty()
        ? NOTHING
        : row.figures().stream()
            .map(id -> figures.get(id).shown())
            .collect(Collectors.joining("; "));
  }

  private static String here(Row row) {
    if (row.here() != null) {
      return withUnit(row.here().value(), row.unit());
    }
    return row.hereText() == null ? NOTHING : row.hereText();
  }

  private static String rounds(Row row) {
    Here here = row.here();
    if (here == null) {
      return NOTHING;
    }
    return here.rounds() == 1
        ? "1"
        : here.rounds() + ": " + Numbers.format(here.low()) + "–" + Numbers.format(here.high());
  }

  private String run(Here here) {
    return here == null ? NOTHING : String.valueOf(runs.indexOf(here.run()) + 1);
  }

  private String note(String name) {
    if (name == null) {
      return "";
    }
    notes.putIfAbsent(name, notes.size() + 1);
    return "(" + notes.get(name) + ")";
  }

  private String findings() {
    StringBuilder text = new StringBuilder("\n## Conclusions of the story\n\n");
    text.append("| conclusion | published | here | reproduced | why |\n|---|--:|--:|---|--:|\n");
    page.findings().forEach(finding -> text.append(row(finding)));
    return text.toString();
  }

  private String row(Finding finding) {
    String value = finding.value() == null ? NOTHING : withUnit(finding.value(), finding.unit());
    String note = note(finding.note());
    return line(List.of(finding.what(), finding.published(), value, finding.reproduced(), note));
  }

  private String footnotes() {
    StringBuilder text = new StringBuilder("\n## Why they differ\n\n");
    notes.forEach((name, number) -> text.append(number + ". " + page.notes().get(name) + "\n"));
    return text.toString();
  }

  private String runs() {
    StringBuilder text =
        new StringBuilder("\n## Runs\n\n| run | date | machine | versions | command |\n");
    text.append("|--:|---|---|---|---|\n");
    for (int i = 0; i < page.runs().size(); i++) {
      Run run = page.runs().get(i);
      String date = run.date().substring(0, Math.min(10, run.date().length()));
      String command = "`" + run.command() + "`";
      text.append(line(List.of("" + (i + 1), date, run.machine(), run.versions(), command)));
    }
    return text.toString();
  }

  private static String withUnit(double value, String unit) {
    return unit.equals("×") ? Numbers.ratio(value) : Numbers.withUnit(value, unit);
  }
}
