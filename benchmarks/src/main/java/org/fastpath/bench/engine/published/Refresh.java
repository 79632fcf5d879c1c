package org.fastpath.bench.engine.published;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.published.StoryPage.Finding;
import org.fastpath.bench.engine.published.StoryPage.Here;
import org.fastpath.bench.engine.published.StoryPage.Query;
import org.fastpath.bench.engine.published.StoryPage.Row;
import org.fastpath.bench.engine.published.StoryPage.Run;
import org.fastpath.bench.engine.published.StoryPage.Section;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;

/** Copies the figures of a results file into the rows that query them. */
final class Refresh {
  private final Results results;
  private final Run run;
  private boolean used;

  private Refresh(Results results) {
    this.results = results;
    this.run = run(results);
  }

  /** Returns the refreshed page. A row without a new measurement keeps figure, date and run. */
  static StoryPage of(StoryPage page, Results results) {
    Refresh refresh = new Refresh(results);
    List<Section> sections = page.sections().stream().map(refresh::section).toList();
    List<Finding> findings = page.findings().stream().map(refresh::finding).toList();
    List<Run> runs = refresh.used ? List.of(refresh.run) : List.of();
    return withoutIdleRuns(page.with(sections, findings, runs));
  }

  private static StoryPage withoutIdleRuns(StoryPage page) {
    Map<String, Run> runs = new LinkedHashMap<>();
    page.runs().forEach(run -> runs.put(run.id(), run));
    runs.keySet()
        .retainAll(
            page.rows()
                .filter(row -> row.here() != null)
                .map(row -> row.here().run())
                .collect(Collectors.toSet()));
    return new StoryPage(
        page.page(),
        page.title(),
        page.issue(),
        page.year(),
        page.story(),
        page.here(),
        List.copyOf(runs.values()),
        page.notes(),
        page.sections(),
        page.findings());
  }

  private static Run run(Results results) {
    Environment here = results.environment();
    String versions =
        here.versions().entrySet().stream()
            .filter(version -> !version.getKey().startsWith("-"))
            .map(version -> version.getKey() + " " + version.getValue())
            .collect(Collectors.joining(", "));
    String machine = here.cores() + " × " + here.cpu();
    return new Run(here.date(), results.title(), here.date(), machine, versions, here.command());
  }

  private Section section(Section section) {
    return new Section(
        section.title(), section.text(), section.rows().stream().map(this::row).toList());
  }

  private Row row(Row row) {
    return here(row.query()).map(row::with).orElse(row);
  }

  private Finding finding(Finding old) {
    Optional<Here> here = here(old.query());
    return here.map(found -> finding(old, found.value())).orElse(old);
  }

  private static Finding finding(Finding old, double value) {
    boolean same = value >= old.least() && value <= old.most();
    return new Finding(
        old.what(),
        old.published(),
        old.unit(),
        old.query(),
        old.least(),
        old.most(),
        value,
        same ? "yes" : "no",
        old.note());
  }

  private Optional<Here> here(Query query) {
    if (query == null) {
      return Optional.empty();
    }
    Optional<Here> here = find(query, query.variant()).flatMap(variant -> here(query, variant));
    used |= here.isPresent();
    return here;
  }

  private Optional<Here> here(Query query, Measurement variant) {
    if (query.relativeTo() == null) {
      int rounds = variant.rounds().size();
      return Optional.of(
          new Here(variant.median(), variant.min(), variant.max(), rounds, run.id()));
    }
    return find(query, query.relativeTo()).map(base -> here(Comparison.of(base, variant)));
  }

  private Here here(Comparison ratio) {
    return new Here(ratio.ratio(), ratio.low(), ratio.high(), ratio.rounds(), run.id());
  }

  private Optional<Measurement> find(Query query, String variant) {
    return results.find(query.measurement(), variant, query.params());
  }
}
