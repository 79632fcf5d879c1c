package org.fastpath.bench.engine.published;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The data of one page of results: rows with the figure of the story and ours.
 *
 * @param page the name of the page and of its story in {@code published.json}
 * @param story the setting of the story
 * @param here our setting and its differences
 * @param runs the runs of our figures
 * @param notes reasons, by the name that rows use
 */
public record StoryPage(
    String page,
    String title,
    String issue,
    int year,
    String story,
    String here,
    List<Run> runs,
    Map<String, String> notes,
    List<Section> sections,
    List<Finding> findings) {

  /** A page may have no findings. */
  public StoryPage {
    findings = findings == null ? List.of() : findings;
  }

  /** The origin of our figure. */
  public enum Kind {
    /** Measured with real parts. */
    MEASURED("measured"),
    /** Measured on modelled devices. */
    MODELLED("modelled"),
    /** Not possible on this machine; the note gives the reason. */
    NOT_POSSIBLE("not-possible"),
    /** The experiment exists, and the stored runs lack the figure. */
    OPEN("open");

    @JsonValue private final String id;

    Kind(String id) {
      this.id = id;
    }

    String shown() {
      return this == NOT_POSSIBLE ? "not possible here" : id;
    }
  }

  public record Run(
      String id, String title, String date, String machine, String versions, String command) {}

  /**
   * Finds a measurement in a results file.
   *
   * @param params parameters that identify it among others of its name; null for none
   * @param relativeTo the variant that the figure is a ratio to; null for a plain figure
   */
  public record Query(
      String measurement,
      Map<String, String> params,
      @JsonProperty("side") String variant,
      String relativeTo) {
    /** Without parameters, the first measurement of the name matches. */
    public Query {
      params = params == null ? Map.of() : params;
    }
  }

  /** Our figure and the range of its rounds. */
  public record Here(double value, double low, double high, int rounds, String run) {}

  /**
   * A row.
   *
   * @param figures the story's figures that the row answers
   * @param published the story's text, if it is not the figures themselves
   * @param hereText our figure in words, if it is not a single number
   * @param note the name of a reason
   * @param chart whether the row is in the chart
   */
  public record Row(
      String what,
      List<String> figures,
      String published,
      String unit,
      Kind kind,
      Query query,
      Here here,
      String hereText,
      String note,
      boolean chart) {
    /** A row may answer no figure. */
    public Row {
      figures = figures == null ? List.of() : figures;
    }
  }

  public record Section(String title, String text, List<Row> rows) {}

  /**
   * A conclusion of the story.
   *
   * @param least our smallest value that supports the conclusion
   * @param most our largest value that supports it
   * @param value our value; null if it was not measured
   * @param reproduced yes or no, and any doubt
   */
  public record Finding(
      String what,
      String published,
      String unit,
      Query query,
      double least,
      double most,
      Double value,
      String reproduced,
      String note) {}

  Stream<Row> rows() {
    return sections.stream().flatMap(section -> section.rows().stream());
  }
}
