import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

/** The intervals of a chart. */
export interface Times {
  /** The beginnings in ISO 8601. */
  readonly starts: readonly string[];
  /** Whether they are shown in UTC instead of the reader's time zone. */
  readonly isUtc?: boolean;
}

/** One line of a chart. */
export interface Line {
  /** The name of a variable of the style sheet. */
  readonly color: `--${string}`;
  /** Lengths of strokes and gaps in pixels; empty: a whole line, with its area tinted. */
  readonly dash: readonly number[];
  /** One a start. */
  readonly values: readonly number[];
}

const HEIGHT_PX = 240;
const POINTS_SHOWN = 40;
/** Steps between the marks of the axis: whole numbers. */
const STEPS = Array.from({ length: 10 }, (_, zeros) => [1, 2, 5].map((step) => step * 10 ** zeros)).flat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact' });

const colorOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const optionsOf = (widthPx: number, { starts, isUtc }: Times, lines: readonly Line[]): uPlot.Options => {
  const axis = {
    stroke: colorOf('--muted'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { stroke: colorOf('--line'), width: 1 },
  };
  const toSeries = ({ color, dash }: Line): uPlot.Series => ({
    stroke: colorOf(color),
    width: 2,
    points: { show: starts.length <= POINTS_SHOWN },
    ...(dash.length === 0 ? { fill: `${colorOf(color)}22` } : { dash: [...dash] }),
  });
  return {
    width: widthPx,
    height: HEIGHT_PX,
    cursor: { points: { size: 6 } },
    legend: { show: false },
    scales: { y: { range: (_, min, max) => [Math.min(0, min * 1.1), Math.max(4, max * 1.1)] } },
    axes: [
      axis,
      { ...axis, size: 48, incrs: STEPS, values: (_, marks) => marks.map((mark) => short.format(mark)) },
    ],
    series: [{}, ...lines.map(toSeries)],
    ...(isUtc ? { tzDate: (second: number) => uPlot.tzDate(new Date(second * 1000), 'Etc/UTC') } : {}),
  };
};

/** Shows lines over time. Screen readers skip it, and read the table of `Series`. */
export default function SeriesChart({ lines, ...times }: Times & { readonly lines: readonly Line[] }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const data = [
      times.starts.map((start) => Date.parse(start) / 1000),
      ...lines.map(({ values }) => [...values]),
    ] as uPlot.AlignedData;
    let plot: uPlot | null = null;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsOf(element.clientWidth, times, lines), data, element);
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
  }, [lines]);
  return <div ref={frame} class="chart" aria-hidden="true" />;
}
