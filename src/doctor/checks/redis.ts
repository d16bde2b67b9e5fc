import type { Redis } from 'ioredis';
import { type RedisClient, serversOf } from '../../redis/client.ts';
import { type Finding, faultsOr, findingsOf, formatBytes } from '../finding.ts';

const OLDEST = 7;
const NEARLY_FULL = 0.8;

/** The lines of `INFO` by their names. */
type Info = ReadonlyMap<string, string>;

const parseInfo = (text: string): Info =>
  new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
    }),
  );

const COVERAGE = 'cluster-require-full-coverage';

/** Reads a setting that is not in `INFO`. Hosted services forbid that, and then it is missing. */
const readCoverage = async (server: Redis): Promise<Info> => {
  const answer = await server.config('GET', COVERAGE).catch(() => []);
  const [, value] = answer as readonly string[];
  return new Map(value === undefined ? [] : [[COVERAGE, value]]);
};

/** Reads `INFO` of each server that takes writes. */
export const readInfos = (client: RedisClient): Promise<readonly Info[]> =>
  Promise.all(
    serversOf(client).map(
      async (server) => new Map([...parseInfo(await server.info()), ...(await readCoverage(server))]),
    ),
  );

const numberOf = (info: Info, name: string): number => Number(info.get(name) ?? 0);

/** Looks at the version of a server. */
export const checkRedis = (info: Info): readonly Finding[] => {
  const { ok, warn, fail } = findingsOf('redis');
  const version = info.get('redis_version') ?? '0';
  const isReplica = info.get('role') === 'slave';
  return faultsOr(
    [
      Number.parseInt(version, 10) < OLDEST &&
        fail(`Redis ${version} is too old: install ${OLDEST} or later.`),
      isReplica && fail('REDIS_URL names a replica, which does not accept writes: name the primary.'),
      info.get('cluster_enabled') === '1' &&
        info.get(COVERAGE) === 'yes' &&
        warn(
          `${COVERAGE} is yes: a lost node without a replica stops all accounts, not only its own; set no.`,
        ),
    ],
    ok(`Redis ${version} answers.`),
  );
};

/** Looks at the memory of a server. */
export const checkMemory = (info: Info): readonly Finding[] => {
  const { ok, warn, fail } = findingsOf('memory');
  const max = numberOf(info, 'maxmemory');
  const used = numberOf(info, 'used_memory');
  const policy = info.get('maxmemory_policy');
  const use = `Redis uses ${formatBytes(used)}${max === 0 ? '' : ` of ${formatBytes(max)}`}`;
  return faultsOr(
    [
      policy !== 'noeviction' &&
        fail(`maxmemory-policy is ${policy}: Redis may drop counters; set noeviction.`),
      max === 0 &&
        warn(`${use} without a limit, until the system kills it: set maxmemory, at most half of its memory.`),
      max > 0 &&
        used > NEARLY_FULL * max &&
        warn(`${use}: paid calls get a 503 when it is full; raise maxmemory.`),
    ],
    ok(`${use}, and evicts nothing.`),
  );
};

/** Checks what a server writes to its disk. */
export const checkPersistence = (info: Info): readonly Finding[] => {
  const { ok, warn, fail } = findingsOf('persistence');
  if (info.get('aof_enabled') !== '1') {
    return [
      warn(
        'appendonly is no: a restart of Redis loses Idempotency-Keys, and the usage that Postgres did not have; set yes.',
      ),
    ];
  }
  return info.get('aof_last_write_status') === 'ok'
    ? [ok('Redis keeps an append-only file.')]
    : [fail('Redis cannot write its append-only file: give its disk room.')];
};
