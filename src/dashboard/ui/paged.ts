import { useEffect, useState } from 'preact/hooks';
import { asFault, type Load, useLoad } from './use-load.ts';

interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/**
 * A list that is read page by page: the first one as `useLoad` does, further ones on demand.
 *
 * @param load Reads the page behind a cursor; `undefined` for the first one.
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
  // Whatever came behind another first page is not of this list.
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

export type Pages<T> = ReturnType<typeof usePages<T>>;
