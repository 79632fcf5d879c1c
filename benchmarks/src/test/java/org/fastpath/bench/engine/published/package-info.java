/**
 * Writes the pages under {@code docs/results}: the published figures of five stories beside ours.
 * {@link org.fastpath.bench.engine.published.StoryPage} is the data of one page, stored as JSON.
 */
package org.fastpath.bench.engine.published;
