import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

/** Scans in one interval. */
export interface ScanPoint {
  /** ISO 8601. */
  readonly start: string;
  readonly people: number;
  readonly bots: number;
}

const HEIGHT_PX = 240;
const POINTS_SHOWN = 40;

const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const optionsOf = (widthPx: number, points: number): uPlot.Options => {
  const axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1 },
  };
  const line = (label: string, stroke: string, dash?: number[]): uPlot.Series => ({
    label,
    stroke,
    width: 2,
    points: { show: points <= POINTS_SHOWN },
    ...(dash === undefined ? { fill: `${stroke}22` } : { dash }),
  });
  return {
    width: widthPx,
    height: HEIGHT_PX,
    cursor: { points: { size: 6 } },
    legend: { show: false },
    scales: { y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] } },
    axes: [axis, { ...axis, size: 48, incrs: [1, 2, 5, 10, 20, 50, 100, 1000, 10_000, 100_000, 1_000_000] }],
    series: [{}, line('People', color('--accent')), line('Bots', color('--bots'), [6, 4])],
  };
};

/** Shows scans over time, people and bots separately. Screen readers skip it, and read the table of `ScanSeries`. */
export default function SeriesChart({ series }: { readonly series: readonly ScanPoint[] }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const data: uPlot.AlignedData = [
      series.map(({ start }) => Date.parse(start) / 1000),
      series.map(({ people }) => people),
      series.map(({ bots }) => bots),
    ];
    let plot: uPlot | null = null;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsOf(element.clientWidth, series.length), data, element);
    };
    draw();
    const resized = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [series]);
  return <div ref={frame} class="chart" aria-hidden="true" />;
}
