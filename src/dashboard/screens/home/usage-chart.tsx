import { useMemo, useState } from 'preact/hooks';
import type { UsageHistory } from '../../api/shapes.ts';
import { Series } from '../../charts/series.tsx';
import { FigureList } from '../../ui/figures.tsx';
import { count, moment, utcDay } from '../../ui/format.ts';
import { Choice } from '../../ui/forms/choice.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { linesOf, startsOf } from './usage-lines.ts';

const HOUR_MS = 3_600_000;
const RANGES = {
  day: { name: 'Last 30 days', ms: 29 * 24 * HOUR_MS },
  hour: { name: 'Last 24 hours', ms: 23 * HOUR_MS },
} as const;

const LOOKS = [
  { color: '--series-1', dash: [] },
  { color: '--series-2', dash: [6, 4] },
  { color: '--series-3', dash: [2, 3] },
  { color: '--series-4', dash: [10, 3, 2, 3] },
  { color: '--series-5', dash: [14, 5] },
  { color: '--series-6', dash: [1, 5] },
] as const;

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
      <Empty title="No units were used in this time.">
        <p>Every code and every embedded picture that costs a unit is counted here.</p>
      </Empty>
    );
  }
  return (
    <>
      <FigureList
        figures={[
          ['Units', total.units],
          ['From the month', total.monthly],
          ['From credits', total.credits],
          ['Requests', total.calls],
        ]}
      />
      <Series
        caption={`Units by ${interval}`}
        starts={startsOf(history)}
        isUtc={interval === 'day'}
        when={interval === 'day' ? utcDay : moment}
        lines={lines}
      />
      {interval === 'day' && <p class="muted small">Days are those of UTC, as the month of your quota is.</p>}
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

/** Shows the units of the last 30 days or 24 hours, by kind of call or by key. `read` asks for them. */
export const UsageChart = ({
  read,
}: {
  readonly read: (query: UsageQuestion, signal: AbortSignal) => Promise<UsageHistory>;
}) => {
  const [group, setGroup] = useState<'kind' | 'key'>('kind');
  const [interval, setInterval] = useState<keyof typeof RANGES>('day');
  const history = useLoad(
    (signal) => {
      const from = new Date(Date.now() - RANGES[interval].ms).toISOString();
      return read({ from, interval, group }, signal);
    },
    [group, interval],
  );
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
              { value: 'kind', name: 'By type of call' },
              { value: 'key', name: 'By key' },
            ]}
            onChoose={setGroup}
          />
          <Choice
            label="Time"
            isLabelHidden
            value={interval}
            options={(['day', 'hour'] as const).map((value) => ({ value, name: RANGES[value].name }))}
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
