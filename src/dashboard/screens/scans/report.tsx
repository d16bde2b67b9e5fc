import type { ComponentChildren } from 'preact';
import { namesOf } from '../../../../workers/lists.ts';
import { BREAKDOWNS } from '../../../lists.ts';
import { BASE } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { AccountScans } from '../../api/shapes.ts';
import { Quiet, useAction, useToast } from '../../ui/buttons.tsx';
import { CheckInput, Input, SelectInput } from '../../ui/fields.tsx';
import { useAddressed } from '../../ui/kept/address.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
import { HERE, ZONES } from '../../ui/zones.ts';
import { say } from '../../words/say.ts';
import { Breakdowns } from './breakdowns.tsx';
import {
  type Days,
  daysBefore,
  daysOf,
  type Interval,
  intervalsOf,
  lengthOf,
  RANGES,
  type RangeName,
  todayIn,
  usualInterval,
} from './range.ts';
import { saveSingleScans } from './raw.ts';
import { Figures, KeptSince, ScanSeries } from './series.tsx';

/** Whose scans are reported, as the query of the API says it. */
export type Scope = Readonly<
  Partial<
    Record<
      'folder_id' | 'tag' | 'batch_id' | 'domain' | 'rule_set_id' | 'code_ids' | 'rule' | 'item_id',
      string
    >
  >
>;

interface Period extends Days {
  readonly time_zone: string;
}

const NOT_CHOSEN = { range: '30', from: '', to: '', by: '', zone: HERE, compare: '' };
const KNOWN = { range: RANGES, zone: ZONES.map((zone) => [zone] as const) };

/** Returns the period that a person has chosen, which the address says. */
const usePeriod = () => {
  const [chosen, choose] = useAddressed(NOT_CHOSEN, KNOWN);
  const today = todayIn(chosen.zone);
  const range = chosen.range as RangeName;
  const written = { from: chosen.from || today, to: chosen.to || today };
  const days = daysOf(range, today, written);
  const intervals = lengthOf(days) > 0 ? intervalsOf(days) : [];
  const interval = intervals.find(([value]) => value === chosen.by)?.[0] ?? usualInterval(days);
  const inZone = (of: Days): Period => ({ ...of, time_zone: chosen.zone });
  return {
    ...{ chosen, choose, range, written, intervals, interval },
    isPossible: intervals.length > 0,
    now: inZone(days),
    before: chosen.compare === '' ? null : inZone(daysBefore(range, days)),
  };
};
type Choice = ReturnType<typeof usePeriod>;

/** Takes the first day and the last. */
const DayFields = ({ choose, written, isPossible }: Choice) => (
  <>
    <Input
      look="narrow"
      label={say('From')}
      type="date"
      value={written.from}
      fault={isPossible ? null : say('Must not be later than the last day, or 20 years before it.')}
      onText={(from) => choose({ from, by: '' }, 'typed')}
    />
    <Input
      look="narrow"
      label={say('Until')}
      type="date"
      value={written.to}
      onText={(to) => choose({ to, by: '' }, 'typed')}
    />
  </>
);

const PeriodFields = (choice: Choice) => {
  const { chosen, choose, range, written, intervals, interval } = choice;
  return (
    <div class="row">
      <SelectInput
        look="narrow"
        label={say('Range')}
        value={range}
        options={RANGES}
        onChoose={(next) => choose(next === 'days' ? { range: next, ...written } : { range: next, by: '' })}
      />
      {range === 'days' && <DayFields {...choice} />}
      <SelectInput
        look="narrow"
        label={say('By')}
        value={interval}
        options={intervals}
        onChoose={(by: Interval) => choose({ by })}
      />
      <SelectInput
        look="narrow"
        label={say('Time zone')}
        value={chosen.zone}
        options={ZONES.map((zone) => [zone, zone])}
        onChoose={(zone) => choose({ zone })}
      />
      <CheckInput
        label={say('Compare with the time before')}
        isOn={chosen.compare !== ''}
        onToggle={(isOn) => choose({ compare: isOn ? 'before' : '' })}
      />
    </div>
  );
};

/** The files of a report, by what has a row in them. */
const FILES = [
  ['day', say('Days')],
  ['month', say('Months')],
  ...namesOf(BREAKDOWNS).map((kind) => [kind, BREAKDOWNS[kind]] as const),
  ['hour_of_week', say('Hours of the week')],
] as const;

interface FilesProps {
  readonly scope: Scope;
  readonly period: Period;
}

/** A menu of the files of a report. */
const Files = ({ scope, period }: FilesProps) => {
  const toast = useToast();
  const { busy, fault, run } = useAction();
  const asked = { ...scope, ...period };
  const files: readonly (readonly [string, string])[] =
    scope.item_id === undefined ? [...FILES, ['link', say('Short links')]] : FILES;
  const items: MenuItem[] = files.map(([by, label]) => ({
    label,
    href: `${BASE}api/v1/scans/export?${new URLSearchParams({ by, ...asked })}`,
    isFile: true,
  }));
  const download = async (): Promise<void> => {
    if (await saveSingleScans(asked)) return;
    toast({ text: say('The file has only the first scans. The command line reads all of them.') });
  };
  if (scope.item_id === undefined) items.push({ label: say('Single scans'), run: () => void run(download) });
  return (
    <>
      <Menu label={say('Download as CSV')} items={items}>
        {busy ? say('Reading scans …') : say('Download as CSV')}
      </Menu>
      {fault !== null && <Failure fault={fault} />}
    </>
  );
};

const isEmpty = ({ totals }: AccountScans): boolean => totals.people + totals.bots + totals.previews === 0;

interface ReportProps {
  readonly scope: Scope;
  /** What to do when there are no scans. */
  readonly empty: ComponentChildren;
  /** Returns where only the scans that a rule led are shown. */
  readonly hrefOfRule?: (rule: string) => string;
}

const TOO_MUCH = 400;

/** Shows the breakdowns of a period; they are read after the totals, because that takes longer. */
const BrokenDown = ({ scope, period, hrefOfRule }: FilesProps & Pick<ReportProps, 'hrefOfRule'>) => {
  const scans = useGet('/api/v1/scans/breakdowns', { query: { ...scope, ...period } });
  if (scans.error?.status === TOO_MUCH) return <p class="muted">{scans.error.details}</p>;
  const hasLinks = scope.item_id === undefined && !/^[^,]+$/.test(scope.code_ids ?? ',');
  return (
    <Loaded load={scans} what={say('countries and devices')}>
      {(data) => (
        <Breakdowns
          scans={data}
          hasLinks={hasLinks}
          hrefOfRule={scope.rule === undefined ? hrefOfRule : undefined}
        />
      )}
    </Loaded>
  );
};

/** Shows scans over a period, which is in the address: totals, a chart, breakdowns, and their files. */
export const ScanReport = ({ scope, empty, hrefOfRule }: ReportProps) => {
  const choice = usePeriod();
  const { interval, isPossible, now, before } = choice;
  const read = (period: Period | null) => ({ query: { ...scope, ...(period ?? now), interval } });
  const scans = useGet('/api/v1/scans', read(now), { enabled: isPossible });
  const earlier = useGet('/api/v1/scans', read(before), { enabled: isPossible && before !== null });
  // What was read for other days is not compared with these.
  const isOther = scans.isPlaceholderData || earlier.isPlaceholderData;
  const compared = before === null || isOther ? undefined : earlier.data;
  return (
    <Card
      title={say('Scans')}
      actions={
        <div class="row">
          <Quiet onClick={() => void scans.refetch()}>{say('Refresh')}</Quiet>
          <Files scope={scope} period={now} />
        </div>
      }
    >
      <PeriodFields {...choice} />
      {isPossible && (
        <Loaded load={scans} what={say('scans')}>
          {(data) =>
            isEmpty(data) && (compared === undefined || isEmpty(compared)) ? (
              <Empty title={say('No scans in this period.')}>
                <KeptSince {...data} />
                {empty}
              </Empty>
            ) : (
              <>
                <KeptSince {...data} />
                <Figures totals={data.totals} {...(compared && { before: compared.totals })} />
                <ScanSeries scans={data} {...(compared && { before: compared })} />
                <BrokenDown scope={scope} period={now} {...(hrefOfRule && { hrefOfRule })} />
              </>
            )
          }
        </Loaded>
      )}
    </Card>
  );
};

/** What to do about a link without scans. */
const SCAN_IT = <p>{say('Scan the code with a phone: the scan appears here within a second or two.')}</p>;

/** Shows the scans of a code's short link. */
export const CodeScans = ({ id }: { readonly id: string }) => (
  <ScanReport scope={{ code_ids: id }} empty={SCAN_IT} />
);

/** Shows the scans of an item of the resolver. */
export const ItemScans = ({ id }: { readonly id: string }) => (
  <ScanReport scope={{ item_id: id }} empty={SCAN_IT} />
);
