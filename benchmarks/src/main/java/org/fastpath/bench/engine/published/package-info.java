/**
 * Writes the pages under {@code docs/results}: the figures that five stories published beside those
 * measured here. {@link org.fastpath.bench.engine.published.StoryPage} is the data of one page and
 * lies as JSON beside it.
 */
package org.fastpath.bench.engine.published;
