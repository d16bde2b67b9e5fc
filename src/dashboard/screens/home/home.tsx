import { api, ask } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { Usage } from '../../api/shapes.ts';
import { toScreenPath } from '../../base.ts';
import { Figures, ScanSeries } from '../../charts/scans.tsx';
import { ButtonLink, PrimaryLink } from '../../ui/buttons.tsx';
import { count, formatDay } from '../../ui/format.ts';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded, QuotaHelp } from '../../ui/states.tsx';
import { RawScans } from '../download/raw-scans.tsx';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { UsageChart, UsagePicture, type UsageQuestion } from './usage.tsx';

const FOLDERS_SHOWN = 6;

const Folders = () => {
  const folders = useGet('/api/v1/folders', { query: { limit: FOLDERS_SHOWN } });
  return (
    <Loaded load={folders} what="folders">
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="No folders yet.">
            <p>
              Codes that you import are saved in folders. <a href={toScreenPath('/import')}>Import a table</a>{' '}
              or <a href={toScreenPath('/design')}>design one code</a>.
            </p>
          </Empty>
        ) : (
          <ul class="history">
            {data.map((folder) => (
              <li key={folder.id}>
                <a class="wrap" href={toScreenPath(`/folders/${folder.id}`)}>
                  {folder.name}
                </a>
                <span class="muted small">
                  {count(folder.code_count, 'code')}, {formatDay(folder.created_at)}
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
};

const Scans = () => {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const scans = useGet('/api/v1/scans', { query: { interval: 'day', time_zone: timeZone } });
  return (
    <Loaded load={scans} what="scans">
      {({ totals, series }) =>
        totals.people + totals.bots + totals.previews === 0 ? (
          <Empty title="No scans in the last 30 days.">
            <p>A dynamic code contains a short link, and every scan of it is counted here.</p>
          </Empty>
        ) : (
          <>
            <Figures totals={totals} />
            <ScanSeries series={series} interval="day" />
            <div class="row">
              <RawScans days={30} />
            </div>
          </>
        )
      }
    </Loaded>
  );
};

/** Shows the units of this month, what costs one, and what to do when none is left. */
const Month = ({ usage }: { readonly usage: Usage }) => (
  <>
    <UsagePicture month={usage} />
    {usage.remaining === 0 && (
      <div class="notice stack">
        <p>
          <strong>This month’s units and all credits are used up.</strong>
        </p>
        <QuotaHelp resetsAt={usage.resets_at} />
      </div>
    )}
    <p class="muted small">
      Each code costs one unit. An embedded picture with a signed address costs one a month; with a key in its
      address, it costs one each time it is loaded. Credits are used when the month’s units are gone. You get
      new units on {formatDay(usage.resets_at)}.
    </p>
  </>
);

const readUsage = (query: UsageQuestion, signal: AbortSignal) =>
  ask(api.GET('/api/v1/usage/history', { params: { query }, signal }));

/**
 * Shows the first screen: this month's usage, the latest folders, usage over time, and the scans of 30 days. An account
 * that has done nothing yet sees its first steps in place of what would be empty.
 */
export const Home = (_: { readonly path: string }) => {
  const usage = useGet('/api/v1/usage', {});
  const { done, hide } = useFirstSteps();
  const isNew = done === undefined || (done !== null && !done.code && !done.key && !usage.data?.usage_count);
  return (
    <Page
      title="Home"
      actions={
        !isNew && (
          <>
            <PrimaryLink href={toScreenPath('/design')}>Design a code</PrimaryLink>
            <ButtonLink href={toScreenPath('/import')}>Import a table</ButtonLink>
          </>
        )
      }
    >
      {done && <FirstSteps done={done} onHide={hide} />}
      <div class="grid level">
        <Card title="This month">
          <Loaded load={usage} what="usage">
            {(data) => <Month usage={data} />}
          </Loaded>
        </Card>
        {!isNew && (
          <Card title="Recent folders">
            <Folders />
          </Card>
        )}
      </div>
      {!isNew && (
        <>
          <UsageChart of="own" read={readUsage} />
          <Card title="Scans of the last 30 days">
            <Scans />
          </Card>
        </>
      )}
    </Page>
  );
};
