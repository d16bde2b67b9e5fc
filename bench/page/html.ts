/** The report as one file that loads nothing: no script, no font, no picture. */
import * as benchTables from './bench-tables.ts';
import * as capacityTables from './capacity-tables.ts';
import type { BenchReport, CapacityReport } from './model.ts';
import * as plots from './plots.ts';
import * as text from './text.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (value: string): string => value.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);

const cell = (value: string): string => {
  const mark =
    value === 'met' || value === 'held' ? ' class="good"' : value === 'missed' ? ' class="bad"' : '';
  return `<td${mark}>${escaped(value)}</td>`;
};

const table = ({ head, rows }: text.Table): string =>
  `<div class="wide"><table><thead><tr>${head.map((title) => `<th>${escaped(title)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map(cell).join('')}</tr>`)
    .join('')}</tbody></table></div>`;

const figure = (svg: string, caption: string): string =>
  `<figure>${svg}<figcaption>${escaped(caption)}</figcaption></figure>`;

const paragraph = (line: string): string => `<p>${escaped(line)}</p>`;

const section = (title: string, ...parts: readonly string[]): string =>
  `<section><h2>${escaped(title)}</h2>${parts.join('\n')}</section>`;

/** The load at which curves are compared: busy, but not full. */
const COMPARED_LOAD = 0.5;

const benchSections = (bench: BenchReport): string[] => {
  const half = bench.latencies.filter(({ load }) => load === COMPARED_LOAD);
  const sections = [
    section('Ratios', table(benchTables.ratioTable(bench))),
    section(
      'Scenarios',
      figure(
        plots.throughputs(bench),
        'Closed loop: each connection waits for its answer. Each dot is one round.',
      ),
      table(benchTables.scenarioTable(bench)),
    ),
  ];
  if (half.length > 0) {
    sections.push(
      section(
        'Latency at constant rates',
        figure(
          plots.percentileCurves(half),
          'At half of each scenario’s throughput. Latency counts from the moment a request was due, so that a stall shows in every request that it delayed.',
        ),
        table(benchTables.latencyTable(bench)),
      ),
      section(
        'Where the time goes',
        figure(
          plots.timeBudgets(half, bench.parts),
          'Means of Server-Timing at half load; “rest” is the remaining time of the answer: HTTP, keys, JSON, sockets. Drawing is divided into symbol, shapes, raster and encode as in a profile of the same pictures. For a batch it is the sum over all its codes, in several threads.',
        ),
      ),
    );
  }
  if (bench.overload ?? bench.fairness)
    sections.push(section('Under stress', table(benchTables.stressTable(bench))));
  return sections;
};

const capacitySections = (capacity: CapacityReport): string[] => [
  section(
    'Capacity',
    figure(
      plots.latencyByRate(capacity),
      'Every step of the search. Dashed lines: the objective, and the highest rate that met it.',
    ),
    paragraph(capacityTables.validity(capacity)),
    table(capacityTables.stepTable(capacity)),
    table(capacityTables.confirmationTable(capacity)),
  ),
  ...(capacity.threads === null
    ? []
    : [
        section(
          'More render threads',
          figure(
            plots.scalability(capacity.threads),
            'Universal Scalability Law: measured points, the fitted curve, and its extrapolation (dashed).',
          ),
          paragraph(capacityTables.law(capacity.threads)),
        ),
      ]),
  section(
    'What more machines would serve',
    table(capacityTables.planTable(capacity)),
    `<ul>${capacity.plan.assumptions.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`,
  ),
];

const STYLE = `
:root { color-scheme: light dark; --text: #1d2330; --background: #fff; --faint: #d9dde5; --good: #116329; --bad: #b3261e;
  --series-1: #1f5fbf; --series-2: #c2410c; --series-3: #15803d; --series-4: #7e22ce; --series-5: #a16207; --series-6: #0e7490; --series-7: #be185d; --series-8: #64748b; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8f0; --background: #12161f; --faint: #343b4a; --good: #6fdc8c; --bad: #ff8a80;
  --series-1: #7fb2ff; --series-2: #ff9d6b; --series-3: #6fdc8c; --series-4: #d2a8ff; --series-5: #f0c862; --series-6: #67d4e6; --series-7: #f9a8d4; --series-8: #94a3b8; } }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; background: var(--background); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; font-size: 1.2rem; }
.verdict { border-left: 4px solid var(--series-1); padding: .2rem 1rem; font-size: 1.1rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--faint); text-align: right; } th:first-child, td:first-child { text-align: left; }
.key { font-size: .85rem; margin: 0; } th:first-child, td:first-child { white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
figure { margin: 1rem 0; } figure svg { --plot-background: var(--background); max-width: 100%; height: auto; } figcaption, footer { font-size: .85rem; opacity: .8; }
`;

/** Returns a complete HTML document. Leaves out a report that is `null`. */
export const htmlReport = (bench: BenchReport | null, capacity: CapacityReport | null): string => {
  const machine = capacity?.machine ?? bench?.machine;
  const body = [
    '<h1>Tessera: benchmark report</h1>',
    `<div class="verdict">${text.verdicts(bench, capacity).map(paragraph).join('')}</div>`,
    ...(bench === null ? [] : benchSections(bench)),
    ...(capacity === null ? [] : capacitySections(capacity)),
    ...(machine === undefined ? [] : [section('Machine', table(text.fingerprint(machine)))]),
    `<footer>${[bench, capacity].flatMap((report) => (report === null ? [] : [`<p>${report.at}: <code>${escaped(report.command)}</code></p>`])).join('')}</footer>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tessera: benchmark report</title><style>${STYLE}</style></head>
<body>
${body.join('\n')}
</body></html>
`;
};
