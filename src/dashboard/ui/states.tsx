/** What stands for data that is missing, late or wrong. */
import type { ComponentChildren } from 'preact';
import { type Fault, toScreenPath } from '../api/client.ts';
import { say, sayWith } from '../words/say.ts';
import { Button } from './buttons.tsx';
import { inWords } from './field-words.ts';
import { formatDay, percent } from './format.ts';
import { useAccountName } from './hooks.ts';
import { Card, type Figure, FigureList, Icon, type IconName } from './page.tsx';

/** The account that the first start on an embedded database makes. */
const DEMO = 'demo';

/** Says what an account with too few units can do. `resetsAt` is when it gets new ones, in ISO 8601. */
export const QuotaHelp = ({ resetsAt }: { readonly resetsAt: string }) => {
  const operator = <a href={toScreenPath('/operator')}>{say('sign in as the operator')}</a>;
  return useAccountName() === DEMO ? (
    <p>
      {sayWith(
        'This is the demo account of this installation. It has the quota of the Pro plan, and gets new units on {day}. If you run this service, {operator} to add credits or raise the quota; the token is in the file {code} of the data folder.',
        { day: formatDay(resetsAt), operator, code: <code>admin-token</code> },
      )}
    </p>
  ) : (
    <p>
      {sayWith(
        'You get new units on {day}. The operator of this service can add credits or raise the quota before that; if that is you, {operator}.',
        { day: formatDay(resetsAt), operator },
      )}
    </p>
  );
};

/** Says whose limit a request has hit, and who can change it. */
const RateHelp = () => (
  <p>
    {sayWith(
      'All keys and users of {account} share its limits, so that other accounts are served too. The operator of this service sets them, for example {code}.',
      {
        account: useAccountName() === DEMO ? say('the demo account') : say('this account'),
        code: <code>RATE_LIMIT_PER_SECOND</code>,
      },
    )}
  </p>
);

/** Says that `what` is being loaded, also to screen readers. */
export const Loading = ({ what }: { readonly what: string }) => (
  <p class="state loading" role="status">
    <span class="spinner" aria-hidden="true" /> {say('Loading {what} …', { what })}
  </p>
);

/** No answer came. */
const UNREACHABLE = 0;

interface FieldFailureProps {
  readonly id?: string;
  readonly problem?: string | null;
  readonly fault: Fault | null;
}

/** Returns what a person can do about a fault, by its status. */
const advice = ({ status, retryAfterS }: Fault): string => {
  if (status === UNREACHABLE) return say('Try again when the connection is back.');
  if (status === 401) return say('Sign in again.');
  if (status === 403) return say('Sign in with a key that may do this.');
  if (status === 404) return say('It may have been deleted: look in the bin.');
  if (status === 429 || status === 503)
    return say('Wait {retryAfterS} seconds, then try again.', { retryAfterS: retryAfterS ?? say('a few') });
  return say('Try again. If it fails again, tell the operator of this service.');
};

/** Whether a call failed for a reason other than what was typed. */
const isUnlucky = ({ status }: Fault): boolean => status === UNREACHABLE || status === 429 || status >= 500;

/** Says what is wrong with what was typed. @param problem What the page finds wrong before it asks. */
export const FieldFailure = ({ id, problem = null, fault }: FieldFailureProps) => (
  <p id={id} class="fault" role="alert">
    {problem ?? (fault && fault.status !== UNREACHABLE && (inWords(fault.details) || fault.message))}
    {problem === null && fault !== null && isUnlucky(fault) && ` ${advice(fault)}`}
  </p>
);

/** As the service says it. */
const QUOTA_EXHAUSTED = 'Quota exhausted';

/** Says what kind of fault it is, and what the service found. */
const sentenceOf = ({ error, details }: Fault): string =>
  details === '' ? error : `${error}: ${inWords(details)}`;

const AboutLimit = ({ fault: { error, retryAfterS } }: { readonly fault: Fault }) => {
  if (error !== QUOTA_EXHAUSTED) return <RateHelp />;
  return <QuotaHelp resetsAt={new Date(Date.now() + (retryAfterS ?? 0) * 1000).toISOString()} />;
};

/** Shows a fault, what to do about it and, with `retry`, a button to try again. */
export const Failure = ({ fault, retry }: { readonly fault: Fault; readonly retry?: () => void }) => (
  <div class="state failure" role="alert">
    <p>
      <strong>{sentenceOf(fault)}</strong>
    </p>
    {fault.error !== QUOTA_EXHAUSTED && <p>{advice(fault)}</p>}
    {fault.status === 429 && <AboutLimit fault={fault} />}
    {retry && <Button onClick={retry}>{say('Try again')}</Button>}
  </div>
);

interface EmptyProps {
  readonly title: string;
  readonly icon?: IconName;
  /** Buttons that begin what would fill it. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Says that there is nothing to show; the children say what to do next. */
export const Empty = ({ title, icon, actions, children }: EmptyProps) => (
  <div class="state empty">
    {icon && <Icon name={icon} />}
    <p>
      <strong>{title}</strong>
    </p>
    {children}
    {actions && <div class="row">{actions}</div>}
  </div>
);

interface Load<T> {
  readonly data: T | undefined;
  readonly error: Fault | null;
  readonly isFetching: boolean;
  /** Whether the data is that of an earlier question. */
  readonly isPlaceholderData?: boolean;
  readonly refetch: () => unknown;
}

/**
 * Shows the data of a load. While the data is loaded again, and when that failed, the earlier data stays, so that
 * nobody loses what they are typing; that of another question is dimmed. A failure is shown above the data. Without
 * data, it says that the data is being loaded, or why that failed. Without a connection, which the page says once, it
 * waits.
 */
export const Loaded = <T,>({
  load: { data, error, isFetching, isPlaceholderData = false, refetch },
  what,
  children,
}: {
  readonly load: Load<T>;
  readonly what: string;
  readonly children: (data: T) => ComponentChildren;
}) => {
  const failure = error && error.status !== UNREACHABLE && (
    <Failure fault={error} retry={() => void refetch()} />
  );
  if (data === undefined) return failure || <Loading what={what} />;
  return (
    <div class={`stack ${isPlaceholderData ? 'outdated' : ''}`} aria-busy={isFetching}>
      {failure}
      {children(data)}
    </div>
  );
};

interface ProgressBarProps {
  readonly share: number | null;
  readonly label: string;
}

/** Shows a share from 0 to 1 as a bar; `null` as one that moves to and fro. */
export const ProgressBar = ({ share, label }: ProgressBarProps) => (
  <progress max={1} aria-label={label} {...(share === null ? {} : { value: share })} />
);

interface TaskStatusProps extends ProgressBarProps {
  readonly isOver: boolean;
  readonly sentence: string;
  /** What the sentence does not say. */
  readonly figures: readonly Figure[];
  readonly children?: ComponentChildren;
}

/** Says how far a task is, with a bar while it runs, or how it ended. */
export const TaskStatus = ({ share, label, isOver, sentence, figures, children }: TaskStatusProps) => (
  <Card>
    <div class="batch-headline">
      {share !== null && !isOver && <strong>{percent(share)}</strong>}
      <span role="status">{sentence}</span>
    </div>
    {!isOver && <ProgressBar share={share} label={label} />}
    {figures.length > 0 && <FigureList figures={figures} />}
    {children}
  </Card>
);
