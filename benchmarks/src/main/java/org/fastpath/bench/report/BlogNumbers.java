package org.fastpath.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fastpath.bench.results.Comparison;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;

/**
 * Each number that the stories behind this project published, what was measured here for the same
 * thing, and why they differ. The published numbers are in {@code blog-numbers.json} beside this
 * class.
 */
public final class BlogNumbers {
  private static final String TABLE = "blog-numbers.json";
  private static final double HALF = 0.5;
  private static final String NOT_MEASURED = "not measured in this run";

  private BlogNumbers() {}

  /**
   * A story and its numbers.
   *
   * @param findings what it concluded from them; null for none that are looked for here
   */
  record Story(
      String story,
      String issue,
      int year,
      String setting,
      List<PublishedNumber> numbers,
      List<Finding> findings) {
    Story {
      numbers = List.copyOf(numbers);
      findings = findings == null ? List.of() : List.copyOf(findings);
    }
  }

  /**
   * What a story concluded.
   *
   * @param side the side that it is looked for on
   * @param least from where on the measured value says the same
   * @param most up to where it does
   * @param doubt a measurement of the same parameters and side, of the share of rounds in which
   *     something was the limit that the story is not about
   * @param doubtIs what that is
   */
  record Finding(
      String what,
      String published,
      String unit,
      String measurement,
      Map<String, String> params,
      String side,
      double least,
      double most,
      String doubt,
      String doubtIs,
      String why) {}

  /**
   * One number.
   *
   * @param published null for one of ours that stands beside the published ones, and for one that
   *     was published in words
   * @param claim those words; null for none
   * @param params those that tell the measurement from others of its name; null for none
   * @param side the side that it is about
   * @param relativeTo if set, the number is how many times better the side is than this one
   */
  record PublishedNumber(
      String what,
      Double published,
      String claim,
      String unit,
      String measurement,
      Map<String, String> params,
      String side,
      String relativeTo,
      String why) {
    /** Without parameters, any measurement of its name will do. */
    PublishedNumber {
      params = params == null ? Map.of() : Map.copyOf(params);
    }

    /** The cell of the table. */
    String shown() {
      if (published != null) {
        return withUnit(published, unit);
      }
      return claim == null ? "–" : claim;
    }
  }

  /** A measured number and the range of its rounds. */
  private record Measured(double value, double low, double high, int rounds) {}

  /** Writes the document from results; of several results with one measurement the first counts. */
  public static void write(Path out, List<Results> results) throws IOException {
    Files.createDirectories(out.toAbsolutePath().getParent());
    Files.writeString(out, markdown(stories(), results), StandardCharsets.UTF_8);
  }

  static List<Story> stories() throws IOException {
    try (InputStream json = BlogNumbers.class.getResourceAsStream(TABLE)) {
      return List.of(new ObjectMapper().readValue(json, Story[].class));
    }
  }

  static String markdown(List<Story> stories, List<Results> results) {
    StringBuilder text = new StringBuilder("# Published numbers and ours\n\n");
    text.append("Written by `java -jar benchmarks/target/benchmarks.jar blog-numbers RESULTS`;")
        .append(" run it again rather than edit this file.\n\n");
    results.forEach(run -> text.append("- ").append(run(run)).append('\n'));
    stories.forEach(story -> text.append(section(story, results)));
    return text.toString();
  }

  private static String run(Results results) {
    return results.title()
        + ": "
        + results.environment().date()
        + ", "
        + results.environment().cores()
        + " × "
        + results.environment().cpu()
        + ", "
        + results.environment().versions().entrySet().stream()
            .filter(version -> !version.getKey().startsWith("-"))
            .map(version -> version.getKey() + " " + version.getValue())
            .collect(Collectors.joining(", "))
        + ", `"
        + results.environment().command()
        + "`";
  }

  private static String section(Story story, List<Results> results) {
    StringBuilder text = new StringBuilder();
    text.append("\n## " + story.story() + "\n\n");
    text.append(story.issue() + ", " + story.year() + ". " + story.setting() + "\n\n");
    text.append("| what | published | measured here | rounds | why they differ |\n");
    text.append("|---|--:|--:|--:|---|\n");
    story.numbers().forEach(number -> text.append(row(number, results)));
    if (!story.findings().isEmpty()) {
      text.append("\n| finding | published | measured here | reproduced | why |\n");
      text.append("|---|--:|--:|---|---|\n");
      story.findings().forEach(finding -> text.append(row(finding, results)));
    }
    return text.toString();
  }

  private static String row(Finding finding, List<Results> results) {
    Optional<Double> measured = median(finding, finding.measurement(), results);
    String verdict = measured.map(value -> verdict(finding, value, results)).orElse(NOT_MEASURED);
    String value = measured.map(found -> withUnit(found, finding.unit())).orElse("–");
    return "| "
        + String.join(" | ", finding.what(), finding.published(), value, verdict, finding.why())
        + " |\n";
  }

  private static String verdict(Finding finding, double value, List<Results> results) {
    boolean same = value >= finding.least() && value <= finding.most();
    boolean doubtful = median(finding, finding.doubt(), results).orElse(0.0) >= HALF;
    return (same ? "yes" : "no") + (doubtful ? ", but " + finding.doubtIs() : "");
  }

  private static Optional<Double> median(
      Finding finding, String measurement, List<Results> results) {
    return results.stream()
        .flatMap(run -> run.find(measurement, finding.side(), finding.params()).stream())
        .map(Measurement::median)
        .findFirst();
  }

  private static String row(PublishedNumber number, List<Results> results) {
    Optional<Measured> measured =
        results.stream().flatMap(run -> measured(number, run).stream()).findFirst();
    String value =
        measured.map(found -> withUnit(found.value(), number.unit())).orElse(NOT_MEASURED);
    String spread = measured.map(BlogNumbers::spread).orElse("–");
    return "| "
        + String.join(" | ", number.what(), number.shown(), value, spread, number.why())
        + " |\n";
  }

  private static Optional<Measured> measured(PublishedNumber number, Results results) {
    Optional<Measurement> side = find(number, number.side(), results);
    if (number.relativeTo() == null) {
      return side.map(m -> new Measured(m.median(), m.min(), m.max(), m.rounds().size()));
    }
    Optional<Measurement> other = find(number, number.relativeTo(), results);
    return side.flatMap(ours -> other.map(base -> measured(Comparison.of(base, ours))));
  }

  private static Optional<Measurement> find(PublishedNumber number, String side, Results results) {
    return results.find(number.measurement(), side, number.params());
  }

  private static Measured measured(Comparison comparison) {
    return new Measured(
        comparison.ratio(), comparison.low(), comparison.high(), comparison.rounds());
  }

  private static String spread(Measured measured) {
    return measured.rounds() == 1
        ? "1"
        : measured.rounds()
            + ": "
            + Numbers.format(measured.low())
            + "–"
            + Numbers.format(measured.high());
  }

  private static String withUnit(double value, String unit) {
    return unit.equals("×") ? Numbers.ratio(value) : Numbers.withUnit(value, unit);
  }
}
