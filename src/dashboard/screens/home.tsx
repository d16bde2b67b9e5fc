import { api, ask } from '../api/client.ts';
import { screen } from '../base.ts';
import { Figures, ScanSeries } from '../charts/scans.tsx';
import { count, day } from '../ui/format.ts';
import { Card, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { FirstSteps } from './home/first-steps.tsx';
import { Month } from './home/month.tsx';
import { UsageChart, type UsageQuestion } from './home/usage-chart.tsx';
import { useFirstSteps } from './home/use-first-steps.ts';

const FOLDERS_SHOWN = 6;

const Folders = () => {
  const folders = useLoad(
    (signal) => ask(api.GET('/api/v1/folders', { params: { query: { limit: FOLDERS_SHOWN } }, signal })),
    [],
  );
  return (
    <Loaded load={folders} what="folders">
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="No folders yet.">
            <p>
              Codes that you import are saved in folders. <a href={screen('/import')}>Import a table</a> or{' '}
              <a href={screen('/design')}>design one code</a>.
            </p>
          </Empty>
        ) : (
          <ul class="history">
            {data.map((folder) => (
              <li key={folder.id}>
                <a class="wrap" href={screen(`/folders/${folder.id}`)}>
                  {folder.name}
                </a>
                <span class="muted small">
                  {count(folder.code_count, 'code')}, {day(folder.created_at)}
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
  const scans = useLoad(
    (signal) => ask(api.GET('/api/v1/scans', { params: { query: { interval: 'day', timeZone } }, signal })),
    [],
  );
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
          </>
        )
      }
    </Loaded>
  );
};

const readUsage = (query: UsageQuestion, signal: AbortSignal) =>
  ask(api.GET('/api/v1/usage/history', { params: { query }, signal }));

/**
 * Shows the first screen: this month's usage, the latest folders, usage over time, and the scans of 30 days. An account
 * that has done nothing yet sees its first steps in place of what would be empty.
 */
export const Home = (_: { readonly path: string }) => {
  const usage = useLoad((signal) => ask(api.GET('/api/v1/usage', { signal })), []);
  const { done, hide } = useFirstSteps();
  const isNew = done === undefined || (done !== null && !done.code && !done.key && !usage.data?.usage_count);
  return (
    <Page
      title="Home"
      actions={
        !isNew && (
          <>
            <a class="button primary" href={screen('/design')}>
              Design a code
            </a>
            <a class="button" href={screen('/import')}>
              Import a table
            </a>
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
          <UsageChart read={readUsage} />
          <Card title="Scans of the last 30 days">
            <Scans />
          </Card>
        </>
      )}
    </Page>
  );
};
