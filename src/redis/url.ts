/** Reads the forms of `REDIS_URL`. */

interface Host {
  readonly host: string;
  readonly port: number;
}

/** What `REDIS_URL` names. */
export interface RedisTarget {
  readonly mode: 'single' | 'sentinel' | 'cluster';
  readonly hosts: readonly Host[];
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** The name of the group that the Sentinels watch; `null` without Sentinels. */
  readonly masterName: string | null;
  readonly database: number;
}

const FORM = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/\s]*)@)?([^@/?#\s]+)(?:\/([^?#\s]*))?$/;

const toHost = (text: string, defaultPort: number): Host => {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined) throw new Error(`${text} is not a host and port`);
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) };
};

/**
 * Reads `redis://[user:password@]host[:port][/database]`, `redis+sentinel://[...@]host,host/name[/database]` or
 * `redis+cluster://[...@]host,host`. Each may begin with `rediss` instead, for TLS.
 *
 * @throws {Error} When the text has none of these forms. The message says what is wrong.
 */
export const parseRedisUrl = (url: string): RedisTarget => {
  const [, scheme, kind, login, hosts, path = ''] = FORM.exec(url) ?? [];
  if (hosts === undefined)
    throw new Error(
      'must look like redis://host:6379, redis+sentinel://host,host/name or redis+cluster://host,host',
    );
  const mode = (kind ?? 'single') as RedisTarget['mode'];
  const colon = login?.indexOf(':') ?? -1;
  const [name, database] = mode === 'sentinel' ? path.split('/') : [null, path];
  if (mode === 'sentinel' && !name)
    throw new Error('must end with the name of the group, as in redis+sentinel://host,host/name');
  if (database && !/^\d{1,4}$/.test(database)) throw new Error('must name the database by its number');
  if (database && mode === 'cluster') throw new Error('must name no database: a Cluster has only one');
  const targets = hosts.split(',').map((host) => toHost(host, mode === 'sentinel' ? 26379 : 6379));
  if (mode === 'single' && targets.length > 1)
    throw new Error('must name one host, or begin with redis+sentinel or redis+cluster');
  return {
    mode,
    hosts: targets,
    tls: scheme === 'rediss',
    username: login && colon > 0 ? decodeURIComponent(login.slice(0, colon)) : null,
    password: login ? decodeURIComponent(login.slice(colon + 1)) : null,
    masterName: name ?? null,
    database: Number(database || 0),
  };
};
