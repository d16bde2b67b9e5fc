import { useMemo, useState } from 'preact/hooks';
import { LOW_QUOTA_SHARE } from '../../lists.ts';
import { useRead } from '../api/query.ts';
import type { Usage, UsageHistory } from '../api/shapes.ts';
import { type Options, SelectInput } from '../ui/fields.tsx';
import { count, formatDay, formatMoment, formatMonth, percent } from '../ui/format.ts';
import { Card, FigureList } from '../ui/page.tsx';
import { LOOKS, Series } from '../ui/series.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { say } from '../words/say.ts';
import { linesOf, startsOf } from './figures.ts';

type Left = Pick<Usage, 'monthly_quota' | 'remaining'>;

const isLow = ({ monthly_quota: quota, remaining }: Left): boolean =>
  remaining === 0 || remaining < quota * LOW_QUOTA_SHARE;

/** Says how much is left of the units of this month and the credits, once that is little. */
export const LeftChip = ({ of }: { readonly of: Left }) => {
  const { remaining } = of;
  return (
    isLow(of) && (
      <span class={`chip ${remaining === 0 ? 'bad' : 'warn'}`}>
        {remaining === 0
          ? say('None left')
          : say('{units} left', { units: count(remaining, 'unit', 'units') })}
      </span>
    )
  );
};

/** Hundredths of the bar: even a small use is visible. */
const MIN_SHOWN = 1;

/** What an account may use and has used this month, as its own API and the operator's say it. */
type Month = Left & Pick<Usage, 'monthly_used' | 'credits' | 'plan'>;

/** Shows the units of this month, as a bar and in words. */
export const UsagePicture = ({ month }: { readonly month: Month }) => {
  const { monthly_used: used, monthly_quota: quota, credits, remaining, plan } = month;
  const share = quota === 0 ? 1 : Math.min(1, used / quota);
  return (
    <div class="stack usage">
      <p class="row">
        <strong>{say('{used} of {quota} units', { used, quota })}</strong>
        <span class="chip">{plan === 'pro' ? say('Pro') : say('Free')}</span>
        <LeftChip of={month} />
      </p>
      <svg
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        role="img"
        aria-label={say("{share} of this month's units are used", { share: percent(share) })}
      >
        <rect width="100" height="4" fill="var(--sunken)" />
        <rect
          width={used === 0 ? 0 : Math.max(MIN_SHOWN, share * 100)}
          height="4"
          fill={isLow(month) ? 'var(--warn)' : 'var(--accent)'}
        />
      </svg>
      <FigureList
        figures={[
          [say('Left this month'), Math.max(0, quota - used)],
          [say('Credits'), credits],
          ...(credits > 0 ? [[say('Left in total'), remaining] as const] : []),
        ]}
      />
    </div>
  );
};

const HOUR_MS = 3_600_000;

type Interval = UsageQuestion['interval'];
const RANGES: Options<Interval> = [
  ['day', say('Last 30 days')],
  ['hour', say('Last 24 hours')],
  ['month', say('Last 12 months')],
];

/** Returns when the range of an interval begins. */
const beginOf = (interval: Interval): Date => {
  const now = new Date();
  if (interval === 'month') return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11));
  return new Date(now.getTime() - (interval === 'day' ? 29 * 24 : 23) * HOUR_MS);
};

/** Days and months are in UTC. */
const INTERVALS = {
  hour: { caption: say('Units by hour'), when: formatMoment },
  day: { caption: say('Units by day'), when: (start: string) => formatDay(start, 'UTC') },
  month: { caption: say('Units by month'), when: (start: string) => formatMonth(start, 'UTC') },
} as const;

const Chart = ({ history }: { readonly history: UsageHistory }) => {
  const { total } = history;
  const interval = history.interval as Interval;
  const lines = useMemo(
    () =>
      linesOf(history).map((line, index) => ({
        ...line,
        ...(LOOKS[index] ?? LOOKS[0]),
        cell: (units: number) => count(units, 'unit', 'units'),
      })),
    [history],
  );
  if (lines.length === 0) {
    return (
      <Empty title={say('No units were used in this period.')}>
        <p>{say('Every code and every embedded picture that costs a unit is counted here.')}</p>
      </Empty>
    );
  }
  return (
    <>
      <FigureList
        figures={[
          [say('Units'), total.units],
          [say('From the quota'), total.monthly],
          [say('From credits'), total.credits],
          [say('Requests'), total.calls],
        ]}
      />
      <Series
        {...INTERVALS[interval]}
        starts={startsOf(history)}
        {...(interval !== 'hour' && { timeZone: 'UTC' })}
        lines={lines}
      />
      {interval !== 'hour' && (
        <p class="muted small">{say('Days and months are in UTC, like the month of the quota.')}</p>
      )}
    </>
  );
};

export interface UsageQuestion {
  /** ISO 8601. */
  readonly from: string;
  readonly interval: 'day' | 'hour' | 'month';
  readonly group: 'kind' | 'key';
}

interface UsageChartProps {
  readonly of: string;
  readonly read: (query: UsageQuestion, signal: AbortSignal) => Promise<UsageHistory>;
}

/** Shows the units of the last 30 days, 24 hours or 12 months, by kind of call or by key. `read` fetches those of an account. */
export const UsageChart = ({ of, read }: UsageChartProps) => {
  const [group, setGroup] = useState<'kind' | 'key'>('kind');
  const [interval, setInterval] = useState<Interval>('day');
  const history = useRead(['usage', of, group, interval], (signal) => {
    return read({ from: beginOf(interval).toISOString(), interval, group }, signal);
  });
  return (
    <Card
      title={say('Usage over time')}
      actions={
        <div class="row">
          <SelectInput
            look="narrow"
            label={say('Show by')}
            isLabelHidden
            value={group}
            options={[
              ['kind', say('By type of call')],
              ['key', say('By key')],
            ]}
            onChoose={setGroup}
          />
          <SelectInput
            look="narrow"
            label={say('Time')}
            isLabelHidden
            value={interval}
            options={RANGES}
            onChoose={setInterval}
          />
        </div>
      }
    >
      <Loaded load={history} what={say('usage')}>
        {(data) => <Chart history={data} />}
      </Loaded>
    </Card>
  );
};
