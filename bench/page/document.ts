/** The pieces of a page that loads nothing: no script, no font, no picture. */
import type { Table } from './text.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns text as it stands in HTML. */
export const escaped = (value: string): string =>
  value.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);

const GOOD: readonly string[] = ['met', 'held', 'faster'];
const BAD: readonly string[] = ['missed', 'slower'];

const cell = (value: string): string => {
  const mark = GOOD.includes(value) ? ' class="good"' : BAD.includes(value) ? ' class="bad"' : '';
  return `<td${mark}>${escaped(value)}</td>`;
};

/** Returns a table. Verdicts are coloured. */
export const table = ({ head, rows }: Table): string =>
  `<div class="wide"><table><thead><tr>${head.map((title) => `<th>${escaped(title)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map(cell).join('')}</tr>`)
    .join('')}</tbody></table></div>`;

/** Returns a plot with what it shows in words. @param svg Is taken as it is. */
export const figure = (svg: string, caption: string): string =>
  `<figure>${svg}<figcaption>${escaped(caption)}</figcaption></figure>`;

/** Returns a paragraph of text. */
export const paragraph = (line: string): string => `<p>${escaped(line)}</p>`;

/** Returns a part of a page under its heading. @param parts HTML. */
export const section = (title: string, ...parts: readonly string[]): string =>
  `<section><h2>${escaped(title)}</h2>${parts.join('\n')}</section>`;

/** Returns the sentences that stand first and say most. */
export const verdict = (lines: readonly string[]): string =>
  `<div class="verdict">${lines.map(paragraph).join('')}</div>`;

/** Light and dark on a screen; on paper light, and tables as wide as the paper. */
const STYLE = `
:root { color-scheme: light dark; --text: #1d2330; --quiet: #5b6475; --background: #fff; --faint: #e3e7ee; --soft: #f5f7fa; --good: #116329; --bad: #b3261e;
  --series-1: #1f5fbf; --series-2: #c2410c; --series-3: #15803d; --series-4: #7e22ce; --series-5: #a16207; --series-6: #0e7490; --series-7: #be185d; --series-8: #64748b; }
@media screen and (prefers-color-scheme: dark) { :root { --text: #e4e8f0; --quiet: #a3adbf; --background: #12161f; --faint: #2b3241; --soft: #1a202c; --good: #6fdc8c; --bad: #ff8a80;
  --series-1: #7fb2ff; --series-2: #ff9d6b; --series-3: #6fdc8c; --series-4: #d2a8ff; --series-5: #f0c862; --series-6: #67d4e6; --series-7: #f9a8d4; --series-8: #94a3b8; } }
body { margin: 3rem auto; max-width: 75rem; padding: 0 1.5rem; background: var(--background); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 1.5rem; } h2 { margin: 3.5rem 0 1rem; font-size: 1.25rem; letter-spacing: -.01em; }
p, figcaption, ul { max-width: 46rem; }
.verdict { padding: .5rem 1.5rem; background: var(--soft); border-radius: .75rem; font-size: 1.1rem; } .verdict p { max-width: 60rem; margin: .75rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; line-height: 1.4; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .7rem; border-bottom: 1px solid var(--faint); text-align: right; } th { color: var(--quiet); font-weight: 500; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; padding-left: 0; } td:first-child { white-space: nowrap; }
.key { font-size: .85rem; margin: 0 0 .5rem; } .key span { white-space: nowrap; margin-right: 1rem; } .key i { font-style: normal; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
figure { margin: 1.5rem 0; } figure svg { --plot-background: var(--background); max-width: 100%; height: auto; } figcaption, footer { font-size: .85rem; color: var(--quiet); }
footer { margin-top: 3.5rem; overflow-wrap: anywhere; }
@media print { @page { size: A4; margin: 12mm; }
  :root { font-size: 10pt; } body { margin: 0; padding: 0; max-width: none; font-size: 1rem; line-height: 1.4; } h1 { font-size: 16pt; } h2 { margin: 1.5rem 0 .5rem; font-size: 12pt; break-after: avoid; }
  .verdict { padding: .1rem 1rem; font-size: 10.5pt; } .verdict, figure, tr { break-inside: avoid; } thead { display: table-header-group; }
  .wide { overflow: visible; } table { width: 100%; font-size: 7pt; } th, td { padding: .12rem .2rem; } figure svg { width: 160mm; } }
`;

/** Returns a complete HTML document. @param body Parts in HTML. */
export const htmlDocument = (title: string, body: readonly string[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>
<h1>${escaped(title)}</h1>
${body.join('\n')}
</body></html>
`;
