/** The first screen: scans, running batches, folders and usage, and the first steps of a new account. */
import { useState } from 'preact/hooks';
import { api, ask, toScreenPath } from '../api/client.ts';
import { useGet, useRead } from '../api/query.ts';
import type { Session, Usage } from '../api/shapes.ts';
import { ButtonLink, linkTo, PrimaryLink, Quiet } from '../ui/buttons.tsx';
import { count, formatDay } from '../ui/format.ts';
import { useSession } from '../ui/hooks.ts';
import { keep, readKept } from '../ui/kept/stored.ts';
import { Card, Icon, Page } from '../ui/page.tsx';
import { Empty, Loaded, ProgressBar, QuotaHelp } from '../ui/states.tsx';
import { say, sayWith } from '../words/say.ts';
import { hasEnded, nameOf, sentenceOf, sessionObstacle, shareOf } from './batches/words.ts';
import { DESIGNED_FOLDER } from './codes/thumbnail.tsx';
import { daysOf, todayIn } from './scans/range.ts';
import { Figures, ScanSeries } from './scans/series.tsx';
import { UsageChart, UsagePicture, type UsageQuestion } from './usage.tsx';

type StepName = 'code' | 'batch' | 'key';

type Done = Readonly<Record<StepName, boolean>>;

const loadDone = async (signal: AbortSignal): Promise<Done> => {
  const [codes, folders, batches, keys] = await Promise.all([
    ask(api.GET('/api/v1/codes', { params: { query: { limit: 1 } }, signal })),
    ask(api.GET('/api/v1/folders', { params: { query: { limit: 5 } }, signal })),
    ask(api.GET('/api/v1/batches', { params: { query: { limit: 1 } }, signal })),
    ask(api.GET('/api/v1/keys', { params: { query: { limit: 2 } }, signal })),
  ]);
  // Codes that the designer saved do not show that many were made at once.
  const hasTable = folders.data.some(({ name, code_count: held }) => held > 1 && name !== DESIGNED_FOLDER);
  return {
    code: codes.data.length > 0,
    batch: batches.data.length > 0 || hasTable,
    // One of them is the key with which the person has signed in.
    key: keys.data.length > 1,
  };
};

const keyOf = (accountId: string): string => `tessera.first-steps.${accountId}`;

/**
 * Returns which first steps the account has done: `null` when all are done or somebody has hidden them, and `undefined`
 * while that is not known. The browser remembers that the steps are over, and then asks no more.
 */
const useFirstSteps = (): { readonly done: Done | null | undefined; readonly hide: () => void } => {
  const session = useSession();
  const { id } = session.account;
  const [isHidden, setHidden] = useState(() => readKept(keyOf(id)) !== null);
  const { data, error } = useRead(['first-steps'], loadDone, { enabled: !isHidden });
  const remember = () => keep(keyOf(id), 'over');
  const hide = (): void => {
    remember();
    setHidden(true);
  };
  if (isHidden || error !== null) return { done: null, hide };
  if (data === undefined || stepsOf(session).some(({ name }) => !data[name])) return { done: data, hide };
  remember();
  return { done: null, hide };
};

const STEPS = [
  {
    name: 'code',
    icon: 'designer',
    title: say('Your first code'),
    text: say('Choose its content and look, see at once how well it scans, and save it.'),
    path: '/design',
    action: say('Design a code'),
  },
  {
    name: 'batch',
    icon: 'import',
    title: say('Many codes from a table'),
    text: say('A spreadsheet with one row per code becomes a folder, a ZIP and labels.'),
    path: '/table',
    action: say('New batch'),
  },
  {
    name: 'key',
    icon: 'key',
    title: say('A key for your program'),
    text: say('With its own key, your shop or script can make codes by itself.'),
    path: '/keys',
    action: say('Create a key'),
  },
] as const;

/** Returns the steps that a session can take. */
const stepsOf = (session: Session) =>
  STEPS.filter(({ name }) => name !== 'batch' || sessionObstacle(session) === null);

/** Shows what a new account can do first, and which of it is done. */
const FirstSteps = ({ done, onHide }: { readonly done: Done; readonly onHide: () => void }) => {
  const steps = stepsOf(useSession());
  const next = steps.find(({ name }) => !done[name])?.name;
  return (
    <section class="card first-steps" aria-labelledby="first-steps-title">
      <header class="card-head">
        <h2 id="first-steps-title">{say('First steps')}</h2>
        <Quiet onClick={onHide}>{say('Hide')}</Quiet>
      </header>
      <ol class="fields">
        {steps.map(({ name, icon, title, text, path, action }) => (
          <li key={name} class={done[name] ? 'done' : ''}>
            <span class="step-icon">
              <Icon name={done[name] ? 'done' : icon} />
            </span>
            <h3>
              {title}
              {done[name] && <span class="hidden">{`: ${say('done')}`}</span>}
            </h3>
            <p class="muted small">{text}</p>
            {!done[name] && (
              <a class={`button ${name === next ? 'primary' : ''}`} href={toScreenPath(path)}>
                {action}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};

const FOLDERS_SHOWN = 6;

const Folders = () => {
  const folders = useGet('/api/v1/folders', { query: { limit: FOLDERS_SHOWN } });
  return (
    <Loaded load={folders} what={say('folders')}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={say('No folders yet.')}>
            <p>
              {sayWith(
                'Codes are saved in folders. <link>Start a batch</link> from a table, or <link2>design one code</link2>.',
                { link: linkTo('/table'), link2: linkTo('/design') },
              )}
            </p>
          </Empty>
        ) : (
          <ul class="rows">
            {data.map((folder) => (
              <li key={folder.id}>
                <a class="wrap" href={toScreenPath(`/folders/${folder.id}`)}>
                  {folder.name}
                </a>
                <span class="muted small">
                  {count(folder.code_count, 'code', 'codes')}, {formatDay(folder.created_at)}
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
  const days = daysOf('30', todayIn(timeZone), { from: '', to: '' });
  const scans = useGet('/api/v1/scans', { query: { interval: 'day', time_zone: timeZone, ...days } });
  return (
    <Loaded load={scans} what={say('scans')}>
      {(data) =>
        data.totals.people + data.totals.bots + data.totals.previews === 0 ? (
          <Empty title={say('No scans in the last 30 days.')}>
            <p>{say('A dynamic code contains a short link, and every scan of it is counted here.')}</p>
          </Empty>
        ) : (
          <>
            <Figures totals={data.totals} />
            <ScanSeries scans={data} />
          </>
        )
      }
    </Loaded>
  );
};

/** Batches that are looked through for running ones: those that began last. */
const BATCHES_SHOWN = 10;

/** Shows the batches that run. */
const Running = () => {
  const batches = useGet(
    '/api/v1/batches',
    { query: { limit: BATCHES_SHOWN } },
    { isOver: ({ data }) => data.every(hasEnded) },
  );
  const running = batches.data?.data.filter((batch) => !hasEnded(batch)) ?? [];
  if (running.length === 0) return null;
  return (
    <Card title={say('Running batches')}>
      <ul class="rows">
        {running.map((batch) => (
          <li key={batch.id}>
            <a class="wrap" href={toScreenPath(`/batches/${batch.id}`)}>
              {nameOf(batch)}
            </a>
            <span class="muted small">{sentenceOf(batch)}</span>
            <ProgressBar share={shareOf(batch)} label={say('Progress of {name}', { name: nameOf(batch) })} />
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** Shows the units of this month, what costs one, and what to do when none is left. */
const Month = ({ usage }: { readonly usage: Usage }) => (
  <>
    <UsagePicture month={usage} />
    {usage.remaining === 0 && (
      <div class="notice stack">
        <p>
          <strong>{say('This month’s units and all credits are used up.')}</strong>
        </p>
        <QuotaHelp resetsAt={usage.resets_at} />
      </div>
    )}
    <p class="muted small">
      {say(
        'Each code costs one unit. An embedded picture with a signed address costs one a month; with a key in its address, it costs one each time it is loaded. Credits are used when the month’s units are gone. You get new units on {day}.',
        { day: formatDay(usage.resets_at) },
      )}
    </p>
  </>
);

const readUsage = (query: UsageQuestion, signal: AbortSignal) =>
  ask(api.GET('/api/v1/usage/history', { params: { query }, signal }));

/**
 * Shows the first screen: the scans of 30 days, running batches, the latest folders, and the units. An account
 * that has done nothing yet sees its first steps in place of what would be empty.
 */
export const Home = (_: { readonly path: string }) => {
  const usage = useGet('/api/v1/usage', {});
  const { done, hide } = useFirstSteps();
  const isNew = done === undefined || (done !== null && !done.code && !done.key && !usage.data?.usage_count);
  return (
    <Page
      title={say('Home')}
      actions={
        !isNew && (
          <>
            <PrimaryLink href={toScreenPath('/design')}>{say('Design a code')}</PrimaryLink>
            <ButtonLink href={toScreenPath('/table')}>{say('New batch')}</ButtonLink>
          </>
        )
      }
    >
      {done && <FirstSteps done={done} onHide={hide} />}
      {!isNew && (
        <>
          <Card
            title={say('Scans of the last 30 days')}
            actions={<a href={toScreenPath('/scans')}>{say('All about scans')}</a>}
          >
            <Scans />
          </Card>
          <Running />
        </>
      )}
      <div class="grid level">
        {!isNew && (
          <Card title={say('Recent folders')}>
            <Folders />
          </Card>
        )}
        <Card title={say('This month')}>
          <Loaded load={usage} what={say('usage')}>
            {(data) => <Month usage={data} />}
          </Loaded>
        </Card>
      </div>
      {!isNew && <UsageChart of="own" read={readUsage} />}
    </Page>
  );
};
