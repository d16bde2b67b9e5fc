/** The trend as a page and as Markdown. Pure. */
import { figure, htmlDocument, paragraph, section, table, verdict } from '../page/document.ts';
import { table as markdownTable } from '../page/markdown.ts';
import { history } from '../page/plots/history.ts';
import { momentTable, overview, type Trend } from './trend.ts';

const TITLE = 'Tessera: figures over time';

const span = (trends: readonly Trend[]): string => {
  const dates = trends.flatMap(({ moments }) => moments.map(({ at }) => at.slice(0, 10))).sort();
  const count = Math.max(...trends.map(({ moments }) => moments.length));
  return `${count} reports from ${dates[0]} to ${dates.at(-1)}.`;
};

const CAPTION =
  'A dot is the median of a report’s rounds, and its bar reaches from the lowest round to the highest. A hollow dot was measured on a busy machine, and says little.';

/** Returns a complete HTML document: an overview, and a plot and a table for each figure. */
export const trendHtml = (trends: readonly Trend[]): string =>
  htmlDocument(TITLE, [
    verdict([span(trends)]),
    section('Overview', table(overview(trends)), paragraph(CAPTION)),
    ...trends.map((trend) =>
      section(
        trend.name,
        figure(history(trend), `${trend.name}, ${trend.measure}`),
        table(momentTable(trend)),
      ),
    ),
  ]);

/** Returns the same as text, without the plots. */
export const trendMarkdown = (trends: readonly Trend[]): string =>
  `${[
    `# ${TITLE}`,
    span(trends),
    markdownTable(overview(trends)),
    ...trends.flatMap((trend) => [`## ${trend.name}`, markdownTable(momentTable(trend))]),
  ].join('\n\n')}\n`;
