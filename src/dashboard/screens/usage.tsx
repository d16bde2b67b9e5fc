import { useMemo, useState } from 'preact/hooks';
import { useRead } from '../api/query.ts';
import type { Usage, UsageHistory } from '../api/shapes.ts';
import { SelectInput } from '../ui/fields.tsx';
import { count, formatMoment, formatNumber, utcDay } from '../ui/format.ts';
import { Card, FigureList } from '../ui/page.tsx';
import { LOOKS, Series } from '../ui/series.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { linesOf, startsOf } from './figures.ts';

/** Below this share of the month's units the page warns. */
const LOW_SHARE = 0.1;

/** Hundredths of the bar: even a small use is visible. */
const MIN_SHOWN = 1;

/** What an account may use and has used this month, as its own API and the operator's say it. */
type Month = Pick<Usage, 'monthly_used' | 'monthly_quota' | 'credits' | 'remaining' | 'plan'>;

/** Shows the units of this month, as a bar and in words. */
export const UsagePicture = ({ month }: { readonly month: Month }) => {
  const { monthly_used: used, monthly_quota: quota, credits, remaining, plan } = month;
  const share = quota === 0 ? 1 : Math.min(1, used / quota);
  const isLow = remaining <= quota * LOW_SHARE;
  return (
    <div class="stack usage">
      <p class="row">
        <strong>
          {formatNumber(used)} of {formatNumber(quota)} units
        </strong>
        <span class="chip">{plan === 'pro' ? 'Pro' : 'Free'}</span>
        {isLow && <span class="chip warn">{count(remaining, 'unit')} left</span>}
      </p>
      <svg
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${Math.round(share * 100)} % of this month's units are used`}
      >
        <rect width="100" height="4" fill="var(--sunken)" />
        <rect
          width={used === 0 ? 0 : Math.max(MIN_SHOWN, share * 100)}
          height="4"
          fill={isLow ? 'var(--warn)' : 'var(--accent)'}
        />
      </svg>
      <FigureList
        figures={[
          ['Left this month', Math.max(0, quota - used)],
          ['Credits', credits],
          ...(credits > 0 ? [['Left in total', remaining] as const] : []),
        ]}
      />
    </div>
  );
};

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
          <SelectInput
            look="narrow"
            label="Show by"
            isLabelHidden
            value={group}
            options={[
              ['kind', 'By type of call'],
              ['key', 'By key'],
            ]}
            onChoose={setGroup}
          />
          <SelectInput
            look="narrow"
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
