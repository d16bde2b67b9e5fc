import { useEffect, useState } from 'preact/hooks';
import { asFault, type Load, useLoad } from './use-load.ts';

interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/**
 * Reads a list page by page: the first page like `useLoad`, further pages on demand.
 *
 * @param load Reads the page at a cursor; `undefined` stands for the first page.
 */
export const usePages = <T>(
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<T>>,
  inputs: readonly unknown[],
) => {
  const first = useLoad((signal) => load(undefined, signal), inputs);
  const [rest, setRest] = useState<Load<Page<T>>>({
    state: 'ready',
    data: { data: [], next_cursor: null },
    fault: null,
  });
  // Further pages belong to the first page that they followed; a new first page drops them.
  useEffect(() => {
    setRest({
      state: 'ready',
      data: { data: [], next_cursor: first.data?.next_cursor ?? null },
      fault: null,
    });
  }, [first.data]);

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

/** A list that is read page by page. */
export type Pages<T> = ReturnType<typeof usePages<T>>;
