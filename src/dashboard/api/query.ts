/**
 * What screens read from the gateway. It is cached for five minutes after the last screen that shows it, and refetched
 * when a screen shows it, when the window becomes visible again, and after a change.
 */
import {
  focusManager,
  type InfiniteData,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api, asFault, ask, askRaw, Fault } from './client.ts';
import { onLine } from './line.ts';
import type { paths } from './types.ts';

type Reads = {
  [P in keyof paths]: paths[P] extends {
    get: { parameters: infer A; responses: { 200: { content: { 'application/json': infer B } } } };
  }
    ? { asked: A; answer: B }
    : never;
};
type ReadPath = { [P in keyof Reads]: [Reads[P]] extends [never] ? never : P }[keyof Reads];
interface Params {
  readonly query?: object;
}
export type ParamsOf<P extends ReadPath> = Reads[P]['asked'] & Params;
type AnswerOf<P extends ReadPath> = Reads[P]['answer'];

interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}
/** A path that answers with pages. */
export type PagedPath = { [P in ReadPath]: AnswerOf<P> extends Page<unknown> ? P : never }[ReadPath];
export type Item<P extends PagedPath> = AnswerOf<P> extends Page<infer T> ? T : never;

const TRIES_MAX = 5;
const SOON_S = 2;

/**
 * Whether to read again what was refused: a busy service, or somebody who scrolls fast, has more calls at once than an
 * account may, and is told to wait a moment.
 */
const isMomentary = (tries: number, { status, retryAfterS }: Fault): boolean =>
  status === 429 && retryAfterS !== null && retryAfterS <= SOON_S && tries < TRIES_MAX;

/** The cache, which is emptied whenever somebody signs in or out. While other data is read, the earlier data stays. */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      placeholderData: keepPreviousData,
      retry: (tries, fault) => fault instanceof Fault && isMomentary(tries, fault),
      retryDelay: (_, fault) => ((fault as Fault).retryAfterS ?? 1) * 1000,
    },
  },
});

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
/** Statuses that a retry does not change: nobody is signed in, the key may not do this, it does not exist. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404]);

let lastChangeMs = 0;
focusManager.subscribe(() => {
  lastChangeMs = performance.now();
});

/** Refetches what is shown. */
export const refresh = (): void => {
  lastChangeMs = performance.now();
  void cache.invalidateQueries();
};

onLine((isDown) => {
  if (!isDown) refresh();
});

/** Makes a change, and refetches what is shown. @throws {Fault} As `ask` does. */
export const change: typeof ask = async (call) => {
  const answer = await ask(call);
  refresh();
  return answer;
};

interface Query<T> {
  readonly state: { readonly data: T | undefined; readonly error: Fault | null };
}

/**
 * Returns how long to wait until data is read again, in milliseconds; `false` once `isOver`. The pauses grow by a
 * quarter from 1 to 15 s, and are short again after a change or when the page becomes visible.
 */
const usePauses = <T>(isOver: ((data: T) => boolean) | undefined) => {
  const [begunMs] = useState(() => performance.now());
  return ({ state: { data, error } }: Query<T>): number | false => {
    if (isOver === undefined || (error !== null && FINAL.has(error.status))) return false;
    if (error === null && data !== undefined && isOver(data)) return false;
    const quietMs = performance.now() - Math.max(begunMs, lastChangeMs);
    const pauseMs = Math.min(FIRST_PAUSE_MS + quietMs / 4, LONGEST_PAUSE_MS);
    return Math.max(pauseMs, (error?.retryAfterS ?? 0) * 1000);
  };
};

interface ReadOptions<T> {
  /** Polls the data until this returns true. Polling pauses while the page is hidden. */
  readonly isOver?: (data: T) => boolean;
  readonly enabled?: boolean;
  readonly staleTime?: 'static';
  readonly gcTime?: number;
}

/** For data that does not change, and is not cached. */
export const ONCE = { staleTime: 'static', gcTime: 0 } as const;

/** Reads what a screen shows. `key` tells apart what is read; a newer read aborts an older one. */
export const useRead = <T>(
  key: QueryKey,
  read: (signal: AbortSignal) => Promise<T>,
  { isOver, ...options }: ReadOptions<T> = {},
) =>
  useQuery<T, Fault>({
    queryKey: key,
    queryFn: ({ signal }) =>
      read(signal).catch((error: unknown) => {
        throw asFault(error);
      }),
    refetchInterval: usePauses(isOver),
    ...options,
  });

/** Reads the OpenAPI document of the running service, and returns what `select` takes of it. */
export const useDocument = <D, T>(select: (document: D) => T) =>
  useQuery<D, Fault, T>({
    queryKey: ['openapi.json'],
    queryFn: async ({ signal }) => (await (await askRaw('openapi.json', { signal })).json()) as D,
    staleTime: 'static',
    select,
  });

/** The types of the client do not support a path that is a variable. */
const call = <T>(path: ReadPath, params: Params, signal: AbortSignal): Promise<T> =>
  ask<T>(api.GET(path, { params, signal } as never) as never);

export const useGet = <P extends ReadPath>(
  path: P,
  params: ParamsOf<P>,
  options: ReadOptions<AnswerOf<P>> = {},
) => useRead<AnswerOf<P>>([path, params], (signal) => call(path, params, signal), options);

/** Shows what a change has answered at once, so that the next change names its version. */
export const show = <P extends ReadPath>(path: P, params: ParamsOf<P>, answer: AnswerOf<P>): void =>
  void cache.setQueryData([path, params], answer);

const getPage = <T>(
  path: PagedPath,
  params: Params,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<T>> =>
  call(path, { ...params, query: { ...params.query, ...(cursor !== null && { cursor }) } }, signal);

/** Returns all items of a list, of at most this many pages. @throws {Fault} */
export const getAll = async <P extends PagedPath>(
  path: P,
  params: ParamsOf<P>,
  pagesMax: number,
  signal: AbortSignal,
): Promise<readonly Item<P>[]> => {
  const found: Item<P>[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const { data, next_cursor }: Page<Item<P>> = await getPage(path, params, cursor, signal);
    found.push(...data);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  return found;
};

const pageKey = (path: PagedPath, params: Params, cursor: string | null) => ['page', path, params, cursor];

/** Reads one page of a list. */
export const usePage = <P extends PagedPath>(path: P, params: ParamsOf<P>, cursor: string | null) =>
  useRead<Page<Item<P>>>(pageKey(path, params, cursor), (signal) => getPage(path, params, cursor, signal));

/** Returns the items of a page that `usePage` has read; none when it is not cached. */
export const loadedPage = <P extends PagedPath>(
  path: P,
  params: ParamsOf<P>,
  cursor: string | null,
): readonly Item<P>[] => cache.getQueryData<Page<Item<P>>>(pageKey(path, params, cursor))?.data ?? [];

/** Reads a list page by page: the first at once, further ones on demand. `isOver` as in `useRead`, for the items. */
export const usePages = <P extends PagedPath>(
  path: P,
  params: ParamsOf<P>,
  isOver?: (items: readonly Item<P>[]) => boolean,
) => {
  type Held = InfiniteData<Page<Item<P>>, string | null>;
  const itemsOf = (data: Held | undefined) => data?.pages.flatMap((page) => page.data) ?? [];
  const query = useInfiniteQuery<Page<Item<P>>, Fault, Held, QueryKey, string | null>({
    queryKey: ['pages', path, params],
    queryFn: ({ pageParam, signal }) => getPage(path, params, pageParam, signal),
    initialPageParam: null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: usePauses(isOver && ((data: Held) => isOver(itemsOf(data)))),
  });
  const moreFault = query.isFetchNextPageError ? query.error : null;
  return {
    ...query,
    list: path,
    error: moreFault === null ? query.error : null,
    moreFault,
    items: itemsOf(query.data),
    pageCount: query.data?.pages.length ?? 0,
  };
};

type Shown = 'error' | 'isFetching' | 'isPlaceholderData' | 'hasNextPage' | 'isFetchingNextPage';
/** A list that is read page by page, whatever its items are. */
export interface Pages extends Pick<UseInfiniteQueryResult<unknown, Fault>, Shown> {
  readonly data: unknown;
  /** Its path in the API. */
  readonly list: string;
  /** How many pages are loaded. */
  readonly pageCount: number;
  /** Why loading the next page failed. */
  readonly moreFault: Fault | null;
  readonly refetch: () => unknown;
  readonly fetchNextPage: () => unknown;
}
