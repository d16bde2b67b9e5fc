import type { ComponentChildren } from 'preact';
import type { Fault } from '../api/client.ts';
import type { Load } from './use-load.ts';

export const Loading = ({ what }: { readonly what: string }) => (
  <p class="state loading" role="status">
    <span class="spinner" aria-hidden="true" /> Loading {what} …
  </p>
);

/** What to do about a fault, by its status. */
const advice = ({ status, retryAfterS }: Fault): string => {
  if (status === 0) return 'Check the connection, then try again.';
  if (status === 401) return 'Sign in again.';
  if (status === 403) return 'Sign in with a key that may do this.';
  if (status === 404) return 'It may have been deleted: look into the bin.';
  if (status === 429 || status === 503) return `Wait ${retryAfterS ?? 'a few'} seconds, then try again.`;
  return 'Try again; if it stays so, tell whoever runs this service.';
};

export const Failure = ({ fault, retry }: { readonly fault: Fault; readonly retry?: () => void }) => (
  <div class="state failure" role="alert">
    <p>
      <strong>{fault.message}</strong>
    </p>
    <p>{advice(fault)}</p>
    {retry && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
);

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
 * Shows what a load has: its data, also while it is loaded anew or when that failed (with the reason above), so that
 * nobody loses what they were typing; without data that it loads, or why it failed.
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
