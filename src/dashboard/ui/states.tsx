import type { ComponentChildren } from 'preact';
import type { Fault } from '../api/client.ts';
import { QuotaHelp, RateHelp } from '../frame/quota-help.tsx';
import type { Load } from './use-load.ts';

/** Says that `what` is being loaded, also to screen readers. */
export const Loading = ({ what }: { readonly what: string }) => (
  <p class="state loading" role="status">
    <span class="spinner" aria-hidden="true" /> Loading {what} …
  </p>
);

/** Returns what a person can do about a fault, by its status. */
const advice = ({ status, retryAfterS }: Fault): string => {
  if (status === 0) return 'Check the connection, then try again.';
  if (status === 401) return 'Sign in again.';
  if (status === 403) return 'Sign in with a key that may do this.';
  if (status === 404) return 'It may have been deleted: look in the bin.';
  if (status === 429 || status === 503) return `Wait ${retryAfterS ?? 'a few'} seconds, then try again.`;
  return 'Try again. If it fails again, tell the operator of this service.';
};

const QUOTA_EXHAUSTED = 'Quota exhausted';

/** Says more about a limit that was met. */
const AboutLimit = ({ fault: { error, retryAfterS } }: { readonly fault: Fault }) => {
  if (error !== QUOTA_EXHAUSTED) return <RateHelp />;
  return <QuotaHelp resetsAt={new Date(Date.now() + (retryAfterS ?? 0) * 1000).toISOString()} />;
};

/** Shows a fault, what to do about it and, with `retry`, a button to try again. */
export const Failure = ({ fault, retry }: { readonly fault: Fault; readonly retry?: () => void }) => (
  <div class="state failure" role="alert">
    <p>
      <strong>{fault.message}</strong>
    </p>
    {fault.error !== QUOTA_EXHAUSTED && <p>{advice(fault)}</p>}
    {fault.status === 429 && <AboutLimit fault={fault} />}
    {retry && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
);

/** Says that there is nothing to show; the children say what to do next. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="state empty">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
);

/**
 * Shows the data of a load. While the data is loaded again, and when that failed, the earlier data stays, so that
 * nobody loses what they are typing. A failure is shown above the data. Without data, it says that the data is being
 * loaded, or why that failed.
 */
export const Loaded = <T,>({
  load,
  what,
  children,
}: {
  readonly load: Load<T> & { readonly reload: () => void };
  readonly what: string;
  readonly children: (data: T) => ComponentChildren;
}) => {
  const failure = load.fault && <Failure fault={load.fault} retry={load.reload} />;
  if (load.data === null) return failure ?? <Loading what={what} />;
  return (
    <div class="stack" aria-busy={load.state === 'loading'}>
      {failure}
      {children(load.data)}
    </div>
  );
};
