package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Result;

/** Writes results as lines of an outcome. */
final class CellText {
  /** The line of a result whose row may have more cells. */
  static final String MORE = "result more";

  private final Times times;

  CellText(Times times) {
    this.times = times;
  }

  /** Returns one line for the result and one for each cell. */
  List<String> of(Result result) {
    List<String> lines = new ArrayList<>();
    if (result == null) {
      lines.add("result none");
    } else if (result.isCursor()) {
      lines.add("cursor " + Words.word(result.getCursor().getRow()));
    } else {
      lines.add(
          "result"
              + (result.mayHaveMoreCellsInRow() ? " more" : "")
              + (result.isStale() ? " stale" : "")
              + (result.getExists() == null ? "" : " exists=" + result.getExists()));
      for (Cell cell : result.rawCells() == null ? new Cell[0] : result.rawCells()) {
        lines.add(of(cell));
      }
    }
    return lines;
  }

  private String of(Cell cell) {
    return "cell "
        + Words.word(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength())
        + " "
        + Words.word(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength())
        + ":"
        + Words.word(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength())
        + " "
        + times.word(cell.getTimestamp())
        + " "
        + cell.getType()
        + " "
        + Words.shortWord(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
        + tags(cell);
  }

  private static String tags(Cell cell) {
    StringBuilder text = new StringBuilder();
    for (Iterator<Tag> tags = PrivateCellUtil.tagsIterator(cell); tags.hasNext(); ) {
      Tag tag = tags.next();
      boolean file = tag.getType() == TagType.MOB_REFERENCE_TAG_TYPE;
      text.append(" tag").append(tag.getType()).append('=');
      // The table name in the tag of a MOB file contains the run.
      text.append(file ? "file" : Words.word(Tag.cloneValue(tag)));
    }
    return text.toString();
  }
}
