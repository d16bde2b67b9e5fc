import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { LOCALE } from '../words/say.ts';
import { timeMarks } from './format.ts';

export interface Times {
  /** The beginnings in ISO 8601. */
  readonly starts: readonly string[];
  /** The time zone in which they are shown; absent: the reader's own. */
  readonly timeZone?: string;
}

export interface Line {
  /** The name of a variable of the style sheet. */
  readonly color: `--${string}`;
  /** Lengths of strokes and gaps in pixels; empty: a whole line, with its area tinted. */
  readonly dash: readonly number[];
  /** One for each start. */
  readonly values: readonly number[];
}

const HEIGHT_PX = 220;
/** A line of fewer points is drawn with dots, because it may have no stroke to be seen. */
const WITHOUT_DOTS = 3;
/** Steps between the marks of the axis: whole numbers. */
const STEPS = Array.from({ length: 10 }, (_, zeros) => [1, 2, 5].map((step) => step * 10 ** zeros)).flat();
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact' });

/** Returns a colour of the style sheet as `rgb(…)`, as the colour scheme of the page has it. */
const colorOf = (name: string): string => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

/** The tint of the area below a line, which fades towards the axis. */
const tint = (color: string) => (plot: uPlot) => {
  const { top, height } = plot.bbox;
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
  gradient.addColorStop(0, color.replace(')', ', 0.25)'));
  gradient.addColorStop(1, color.replace(')', ', 0.02)'));
  return gradient;
};

const optionsOf = (
  widthPx: number,
  { starts, timeZone }: Times,
  lines: readonly Line[],
  onPoint: (plot: uPlot) => void,
): uPlot.Options => {
  const axis = { stroke: colorOf('--muted'), ticks: { show: false }, font: '12px system-ui, sans-serif' };
  const grid = { stroke: colorOf('--line'), width: 1 };
  const toSeries = ({ color, dash }: Line): uPlot.Series => ({
    stroke: colorOf(color),
    width: 2,
    points: { show: starts.length < WITHOUT_DOTS },
    ...(dash.length === 0 ? { fill: tint(colorOf(color)) } : { dash: [...dash] }),
  });
  return {
    width: widthPx,
    height: HEIGHT_PX,
    cursor: { points: { size: 8 }, y: false, drag: { x: false, y: false } },
    legend: { show: false },
    scales: { y: { range: (_, min, max) => [Math.min(0, min * 1.1), Math.max(4, max * 1.1)] } },
    axes: [
      {
        ...axis,
        size: 32,
        grid: { show: false },
        values: (_, marks, __, ___, stepS) => timeMarks(marks, stepS, timeZone),
      },
      {
        ...axis,
        grid,
        size: 44,
        incrs: STEPS,
        values: (_, marks) => marks.map((mark) => short.format(mark)),
      },
    ],
    series: [{}, ...lines.map(toSeries)],
    hooks: { setCursor: [onPoint] },
    ...(timeZone && { tzDate: (second: number) => uPlot.tzDate(new Date(second * 1000), timeZone) }),
  };
};

/** Shows a tip beside the pointer about what is there, or hides it when the pointer is elsewhere. */
const pointAt = (tip: HTMLElement, plot: uPlot, tell: (index: number) => string): void => {
  const { idx, left = -1 } = plot.cursor;
  tip.hidden = idx === null || idx === undefined || left < 0;
  if (tip.hidden || typeof idx !== 'number') return;
  tip.textContent = tell(idx);
  const x = left + plot.over.offsetLeft;
  const room = plot.root.clientWidth - tip.offsetWidth;
  tip.style.left = `${Math.max(0, Math.min(room, x - tip.offsetWidth / 2))}px`;
};

interface SeriesChartProps extends Times {
  readonly lines: readonly Line[];
  readonly tell: (index: number) => string;
}

/**
 * Shows lines over time, and what `tell` says of an interval beside the pointer. Screen readers read the table of
 * `Series`.
 */
export default function SeriesChart({ lines, tell, ...times }: SeriesChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const data = [
      times.starts.map((start) => Date.parse(start) / 1000),
      ...lines.map(({ values }) => [...values]),
    ] as uPlot.AlignedData;
    let plot: uPlot | null = null;
    const onPoint = (of: uPlot) => tip.current && pointAt(tip.current, of, tell);
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsOf(element.clientWidth, times, lines, onPoint), data, element);
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
  return (
    <div class="chart" aria-hidden="true">
      <div ref={frame} />
      <p ref={tip} class="chart-tip" hidden />
    </div>
  );
}
