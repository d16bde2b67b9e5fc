/** Scans of one link or of all: totals, a chart, and a file of every single one. */
import { useMemo } from 'preact/hooks';
import { askRaw, Fault, saveBlob } from '../api/client.ts';
import type { AccountScans } from '../api/shapes.ts';
import { Button, useAction, useToast } from '../ui/buttons.tsx';
import { count, formatDay, formatMoment } from '../ui/format.ts';
import { FigureList } from '../ui/page.tsx';
import { LOOKS, type NamedLine, Series } from '../ui/series.tsx';
import { Failure } from '../ui/states.tsx';

export const Figures = ({ totals }: Pick<AccountScans, 'totals'>) => (
  <FigureList
    figures={[
      ['Scans', totals.people],
      ['Unique visitors', totals.unique_visitors],
      ['Bots', totals.bots],
      ['Previews', totals.previews],
    ]}
  />
);

/** Says since when scans are kept, where a period begins earlier. */
export const KeptSince = ({ from, complete_since: since }: Pick<AccountScans, 'from' | 'complete_since'>) =>
  since === null || Date.parse(since) <= Date.parse(from) ? null : (
    <p class="muted small">Scans before {formatDay(since)} are no longer kept, and not counted here.</p>
  );

type Point = Pick<AccountScans['series'][number], 'start' | 'people' | 'bots' | 'previews'>;

const KINDS = [
  ['people', 'People', 'person', 'people'],
  ['bots', 'Bots', 'bot', 'bots'],
  ['previews', 'Previews', 'preview', 'previews'],
] as const;

const toLines = (series: readonly Point[]): readonly NamedLine[] =>
  KINDS.map(([kind, name, one, many], index) => ({
    name,
    ...(LOOKS[index] ?? LOOKS[0]),
    values: series.map((point) => point[kind]),
    cell: (scans) => count(scans, one, many),
  }));

interface ScanSeriesProps {
  readonly series: readonly Point[];
  /** `hour`, `day` or `month`. */
  readonly interval: string;
}

export const ScanSeries = ({ series, interval }: ScanSeriesProps) => (
  <Series
    caption={`Scans by ${interval}`}
    starts={series.map(({ start }) => start)}
    when={interval === 'hour' ? formatMoment : formatDay}
    lines={useMemo(() => toLines(series), [series])}
  />
);

/** Bounds the file, which stays in memory until it is saved: half a million scans. */
const PAGES_MAX = 100;
const PAGE_ROWS = '5000';
/** How many times in a row a request may be throttled before a download gives up. */
const WAITS_MAX = 10;
const DAY_MS = 86_400_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads a page, and waits as long as the service asks. @throws {Fault} */
const readPage = async (query: URLSearchParams): Promise<Response> => {
  for (let waits = 0; ; waits += 1) {
    try {
      return await askRaw(`api/v1/scans/raw?${query}`);
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 429 || waits === WAITS_MAX) throw error;
      await sleep((error.retryAfterS ?? 1) * 1000);
    }
  }
};

/** Reads single scans as CSV, page after page. `isWhole`: there are no more of them. @throws {Fault} */
const readAllScans = async (
  query: URLSearchParams,
): Promise<{ readonly parts: readonly string[]; readonly isWhole: boolean }> => {
  const parts: string[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const response = await readPage(query);
    parts.push(await response.text());
    const next = response.headers.get('tessera-next-cursor');
    if (next === null) return { parts, isWhole: true };
    query.set('cursor', next);
  }
  return { parts, isWhole: false };
};

interface RawScansProps {
  readonly days: number;
  /** Of one short link; absent: of all. */
  readonly slug?: string;
}

/** A button that saves every single scan of the last days as CSV. */
export const RawScans = ({ days, slug }: RawScansProps) => {
  const toast = useToast();
  const { busy, fault, run } = useAction();
  const download = async (): Promise<void> => {
    const to = new Date();
    const from = new Date(to.getTime() - days * DAY_MS);
    const query = new URLSearchParams({
      from: from.toISOString(),
      to: to.toISOString(),
      format: 'csv',
      limit: PAGE_ROWS,
      ...(slug !== undefined && { slug }),
    });
    const { parts, isWhole } = await readAllScans(query);
    saveBlob(
      `single-scans${slug === undefined ? '' : `-${slug}`}.csv`,
      new Blob([...parts], { type: 'text/csv' }),
    );
    if (!isWhole) toast({ text: 'The file has only the first scans. The command line reads all of them.' });
  };
  return (
    <>
      <Button disabled={busy} onClick={() => void run(download)}>
        {busy ? 'Reading scans …' : 'Download single scans'}
      </Button>
      {fault !== null && <Failure fault={fault} />}
    </>
  );
};
