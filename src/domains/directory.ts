/** The hosts that are served, in memory, so that every request finds its domain without waiting. */
import type { Database } from '../db/database.ts';
import type { DomainAnswers } from '../db/tables/domains/domains.ts';
import { findAnswers, findServed, listServed, type ServedDomain } from '../db/tables/domains/served.ts';
import { countLoopFailure } from '../execution/loops.ts';
import type { Log } from '../log.ts';
import { createOutageCache } from '../outage-cache/outage-cache.ts';

/** Hosts are read again this often while news of changes may be missing, and after a failure. */
const RELOAD_MS = 900;

/** Texts of a domain have some 70 KB at most, so those in memory have at most 70 MB; most domains have none. */
const ANSWERS = {
  what: 'answers of domains',
  max: 1000,
  maxLoads: 100,
  loadTimeoutMs: 2000,
  refreshTimeoutMs: 250,
  retryMs: 1000,
  freshMs: 60_000,
  unknownMs: 900,
  freshWithoutNewsMs: 900,
  staleMs: 24 * 3_600_000,
  whileFailing: 'ask',
} as const;

/** Finds the domain of a host. */
export type Directory = Awaited<ReturnType<typeof openDirectory>>;

/**
 * Reads all hosts that are served, some 300 bytes each, and follows changes. While the database is away, what is in
 * memory is served.
 *
 * @throws When the database is away at the start, and so is its replica.
 */
export const openDirectory = async (
  { sql, read, changes }: Pick<Database, 'sql' | 'read' | 'changes'>,
  log: Pick<Log, 'info' | 'warn'>,
) => {
  let hosts = new Map<string, ServedDomain>();
  /** Counts changes, so that a list that was read before one is not kept. */
  let news = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const answers = createOutageCache<DomainAnswers>(
    { ...ANSWERS, load: (id) => findAnswers(sql, id), isLive: () => changes.live },
    log,
  );

  const keepAll = (served: readonly ServedDomain[]): void => {
    hosts = new Map(served.map((domain) => [domain.host, domain]));
  };

  const readAll = async (): Promise<void> => {
    const before = news;
    const served = await listServed(sql);
    if (before !== news) return readAll();
    keepAll(served);
  };

  const reload = (run: () => Promise<void>): void => {
    run().catch((err: unknown) => {
      countLoopFailure('directory');
      log.warn({ err }, 'hosts of domains cannot be read; will retry');
      retryLater();
    });
  };

  const retryLater = (): void => {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      reload(readAll);
    }, RELOAD_MS).unref();
  };

  const readOne = async (host: string): Promise<void> => {
    const before = news;
    const served = await findServed(sql, host);
    if (before !== news) return readOne(host);
    if (served === null) hosts.delete(host);
    else {
      // What it answered when it was served before may be in memory.
      if (hosts.get(host)?.id !== served.id) answers.outdate(served.id);
      hosts.set(host, served);
    }
  };

  const poll = setInterval(() => {
    if (!changes.live) reload(readAll);
  }, RELOAD_MS).unref();
  const unsubscribe = changes.subscribe((change) => {
    if (change.kind === 'everything') {
      news += 1;
      answers.outdateAll();
      reload(readAll);
    } else if (change.kind === 'domain') {
      news += 1;
      const present = hosts.get(change.id);
      if (present !== undefined) answers.outdate(present.id);
      reload(() => readOne(change.id));
    }
  });
  const before = news;
  const first = await read(listServed);
  if (before === news) keepAll(first);
  else await readAll();

  return {
    /** Returns the domain that is served at a host, as `hostOfHeader` returns it. */
    find: (host: string): ServedDomain | undefined => hosts.get(host),
    /** Returns what a domain answers; `null`: it is not served any more. @throws When the database must be asked, and is away. */
    answersOf: (id: string): Promise<DomainAnswers | null> => answers.get(id),
    size: () => hosts.size,
    close(): void {
      isClosed = true;
      unsubscribe();
      clearInterval(poll);
      clearTimeout(timer);
    },
  };
};
