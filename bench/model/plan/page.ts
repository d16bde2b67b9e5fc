/** The answer to a plan as a page to print, and its months as CSV. Pure. */
import { stringify } from 'csv-stringify/sync';
import { figure } from '../../say.ts';
import type { Answer, Chart, Section } from './answer.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [720, 240, 64, 24];
const COLOURS = ['#1a5fb4', '#e66100', '#26a269', '#813d9c', '#986a44'];

/** Returns a round number that is at least as large, for the end of an axis. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return (([1, 2, 5].find((step) => step * power >= value) ?? 10) as number) * power;
};

/** Draws stacked bars: one for each label. */
const svgOf = ({ unit, labels, series }: Chart, title: string): string => {
  const totals = labels.map((_, i) => series.reduce((total, [, values]) => total + values[i]!, 0));
  const most = roundUp(Math.max(...totals));
  const [across, up] = [(WIDTH - LEFT) / labels.length, (HEIGHT - BOTTOM - 8) / most];
  const y = (value: number): number => HEIGHT - BOTTOM - value * up;
  const bars = labels.map((_, i) => {
    let below = 0;
    return series
      .map(([, values], n) => {
        below += values[i]!;
        return `<rect x="${LEFT + i * across + across * 0.15}" y="${y(below)}" width="${across * 0.7}" height="${values[i]! * up}" fill="${COLOURS[n]}"/>`;
      })
      .join('');
  });
  const lines = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<line x1="${LEFT}" x2="${WIDTH}" y1="${y(part * most)}" y2="${y(part * most)}" stroke="#ccc"/><text x="${LEFT - 6}" y="${y(part * most) + 4}" text-anchor="end">${figure(part * most)}</text>`,
  );
  const every = Math.ceil(labels.length / 12);
  const names = labels.map((label, i) =>
    i % every === 0
      ? `<text x="${LEFT + (i + 0.5) * across}" y="${HEIGHT - 6}" text-anchor="middle">${escaped(label)}</text>`
      : '',
  );
  const legend = series
    .map(([name], n) => `<span><i style="background:${COLOURS[n]}"></i>${escaped(name)}</span>`)
    .join(' ');
  return `<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">${[...lines, ...bars, ...names].join('')}</svg><figcaption>${escaped(unit)}: ${legend}</figcaption></figure>`;
};

const sectionOf = ({ title, chart, head, rows }: Section): string => {
  const cells = (row: readonly string[], name: 'th' | 'td'): string =>
    `<tr>${row.map((cell) => `<${name}>${escaped(cell)}</${name}>`).join('')}</tr>`;
  return `<section><h2>${escaped(title)}</h2>${chart === undefined ? '' : svgOf(chart, title)}<table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></section>`;
};

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}h1{font-size:1.6em}h2{font-size:1.1em;margin-top:2em}table{border-collapse:collapse;font-size:.9em}th,td{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:right}th:first-child,td:first-child{text-align:left}svg{width:100%;font-size:11px}figure{margin:0}figcaption span{margin-right:1em}i{display:inline-block;width:.8em;height:.8em;margin-right:.3em;print-color-adjust:exact}section{break-inside:avoid}@page{margin:15mm}@media print{body{margin:0;font-size:11px}}';

/** Returns the whole answer as one page of HTML without scripts. */
export const pageOf = ({ title, sentences, sections, assumptions }: Answer): string => {
  const list = (lines: readonly string[]): string =>
    `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>${list(sentences)}
${sections.map(sectionOf).join('\n')}
<section><h2>Assumptions</h2>${list(assumptions)}</section></body></html>
`;
};

/** Returns the table of months as CSV. */
export const csvOf = ({ sections }: Answer): string =>
  stringify([[...sections[0]!.head], ...sections[0]!.rows.map((row) => [...row])]);
