import { useMemo, useState } from 'preact/hooks';
import { useRead } from '../../api/query.ts';
import type { UsageHistory } from '../../api/shapes.ts';
import { LOOKS, Series } from '../../charts/series.tsx';
import { count, formatMoment, utcDay } from '../../ui/format.ts';
import { Choice } from '../../ui/forms/choice.tsx';
import { Card, FigureList } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { linesOf, startsOf } from './usage-lines.ts';

const HOUR_MS = 3_600_000;
const RANGES = {
  day: { name: 'Last 30 days', ms: 29 * 24 * HOUR_MS },
  hour: { name: 'Last 24 hours', ms: 23 * HOUR_MS },
} as const;

const Chart = ({ history }: { readonly history: UsageHistory }) => {
  const { total, interval } = history;
  const lines = useMemo(
    () =>
      linesOf(history).map((line, index) => ({
        ...line,
        ...(LOOKS[index] ?? LOOKS[0]),
        cell: (units: number) => count(units, 'unit'),
      })),
    [history],
  );
  if (lines.length === 0) {
    return (
      <Empty title="No units were used in this period.">
        <p>Every code and every embedded picture that costs a unit is counted here.</p>
      </Empty>
    );
  }
  return (
    <>
      <FigureList
        figures={[
          ['Units', total.units],
          ['From the quota', total.monthly],
          ['From credits', total.credits],
          ['Requests', total.calls],
        ]}
      />
      <Series
        caption={`Units by ${interval}`}
        starts={startsOf(history)}
        isUtc={interval === 'day'}
        when={interval === 'day' ? utcDay : formatMoment}
        lines={lines}
      />
      {interval === 'day' && <p class="muted small">Days are in UTC, like the month of your quota.</p>}
    </>
  );
};

/** What a chart of usage asks for. */
export interface UsageQuestion {
  /** ISO 8601. */
  readonly from: string;
  readonly interval: 'day' | 'hour';
  readonly group: 'kind' | 'key';
}

interface UsageChartProps {
  readonly of: string;
  readonly read: (query: UsageQuestion, signal: AbortSignal) => Promise<UsageHistory>;
}

/** Shows the units of the last 30 days or 24 hours, by kind of call or by key. `read` fetches those of an account. */
export const UsageChart = ({ of, read }: UsageChartProps) => {
  const [group, setGroup] = useState<'kind' | 'key'>('kind');
  const [interval, setInterval] = useState<keyof typeof RANGES>('day');
  const history = useRead(['usage', of, group, interval], (signal) => {
    const from = new Date(Date.now() - RANGES[interval].ms).toISOString();
    return read({ from, interval, group }, signal);
  });
  return (
    <Card
      title="Usage over time"
      actions={
        <div class="row">
          <Choice
            label="Show by"
            isLabelHidden
            value={group}
            options={[
              ['kind', 'By type of call'],
              ['key', 'By key'],
            ]}
            onChoose={setGroup}
          />
          <Choice
            label="Time"
            isLabelHidden
            value={interval}
            options={(['day', 'hour'] as const).map((value) => [value, RANGES[value].name])}
            onChoose={setInterval}
          />
        </div>
      }
    >
      <Loaded load={history} what="usage">
        {(data) => <Chart history={data} />}
      </Loaded>
    </Card>
  );
};
