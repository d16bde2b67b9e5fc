/** Draws plots as SVG text. They use the page's colours, so that they follow its dark theme. */
import { createRequire } from 'node:module';
import * as Plot from '@observablehq/plot';

/** Has no types of its own: they are published for `domino`, of which it is a fork. */
const domino = createRequire(import.meta.url)('@mixmark-io/domino') as {
  createWindow(html: string): { readonly document: object };
};
const { document } = domino.createWindow('<!doctype html><body></body>');

interface Drawn {
  setAttribute(name: string, value: string): void;
  readonly outerHTML: string;
}

/** Eight colours that can be told apart on white and on black; the page defines them. */
export const SERIES = Array.from({ length: 8 }, (_, index) => `var(--series-${index + 1})`);

const SIZE = { width: 860, height: 340, marginLeft: 56, marginBottom: 44, marginRight: 24 };
const STYLE = { fontSize: '12px' };

/** Returns a legend above the plot, as text: labels at the ends of the lines would overlap. */
const key = (names: readonly string[]): string =>
  names.map((name, index) => `<span><i style="color:${SERIES[index]}">■</i> ${name}</span>`).join(' ');

/**
 * Returns a plot as SVG, under its legend.
 *
 * @param label What it shows, for those who do not see it.
 * @param series Names of the series that have colours of their own, in the order of the colours; at most eight.
 */
export const draw = (label: string, options: Plot.PlotOptions, series: readonly string[] = []): string => {
  const color = { domain: [...series], range: SERIES.slice(0, series.length) };
  const all = { ...SIZE, style: STYLE, document, ...(series.length === 0 ? {} : { color }), ...options };
  const plot = Plot.plot(all as Plot.PlotOptions) as unknown as Drawn;
  plot.setAttribute('role', 'img');
  plot.setAttribute('aria-label', label);
  return `${series.length === 0 ? '' : `<p class="key">${key(series)}</p>`}${plot.outerHTML}`;
};
