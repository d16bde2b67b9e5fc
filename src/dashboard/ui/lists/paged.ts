import { useEffect, useState } from 'preact/hooks';
import { asFault, type Load, useLoad } from '../use-load.ts';
import { useWatch } from '../use-watch.ts';

interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** Reads the page at a cursor; `undefined` stands for the first page. */
type LoadPage<T> = (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<T>>;

/** Reads further pages on demand, after the first one. They are dropped when `key` changes. */
const useFurtherPages = <T>(
  first: Load<Page<T>> & { readonly reload: () => void },
  load: LoadPage<T>,
  key: unknown,
) => {
  const [rest, setRest] = useState<Load<Page<T>>>({
    state: 'ready',
    data: { data: [], next_cursor: null },
    fault: null,
  });
  useEffect(() => {
    setRest({
      state: 'ready',
      data: { data: [], next_cursor: first.data?.next_cursor ?? null },
      fault: null,
    });
  }, [key]);

  const more = (): void => {
    const held = rest.data ?? { data: [], next_cursor: null };
    if (rest.state === 'loading' || held.next_cursor === null) return;
    setRest({ state: 'loading', data: held, fault: null });
    load(held.next_cursor).then(
      (page) =>
        setRest({
          state: 'ready',
          data: { data: [...held.data, ...page.data], next_cursor: page.next_cursor },
          fault: null,
        }),
      (error: unknown) => setRest({ state: 'failed', data: held, fault: asFault(error) }),
    );
  };

  return {
    first,
    items: [...(first.data?.data ?? []), ...(rest.data?.data ?? [])],
    hasMore: (rest.data?.next_cursor ?? null) !== null,
    isLoadingMore: rest.state === 'loading',
    moreFault: rest.fault,
    more,
    reload: first.reload,
  };
};

/**
 * Reads a list page by page: the first page like `useLoad`, further pages on demand. A new first page drops the others.
 */
export const usePages = <T>(load: LoadPage<T>, inputs: readonly unknown[]) => {
  const first = useLoad((signal) => load(undefined, signal), inputs);
  return useFurtherPages(first, load, first.data);
};

/**
 * Reads a list page by page, newest first: the first page like `useWatch`, further pages on demand. They stay as long
 * as the first page ends at the same item.
 */
export const useWatchedPages = <T>(
  load: LoadPage<T>,
  inputs: readonly unknown[],
  isOver: (page: Page<T>) => boolean,
) => {
  const first = useWatch((signal) => load(undefined, signal), inputs, isOver);
  return useFurtherPages(first, load, first.data?.next_cursor);
};

/** A list that is read page by page. */
export type Pages<T> = ReturnType<typeof useFurtherPages<T>>;
