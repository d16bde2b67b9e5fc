/**
 * `npm run bench:links` measures what a redirect costs a gateway, Redis and Postgres as processor time, for a plain
 * link and for links with times, with a slug of one's own, by an earlier slug, and for dead links that lead to the
 * address of their account. The rounds of the kinds alternate.
 */
import { createLinks } from '../../test/servers/account.ts';
import { inScope } from '../../test/servers/scope.ts';
import { startTestbed } from '../../test/servers/testbed.ts';
import { commandLine } from '../command/main.ts';
import { whole } from '../command/whole.ts';
import { startGenerator } from '../load/fire.ts';
import { failuresOf } from '../load/tally.ts';
import { figure, say, table } from '../say.ts';
import { type ByPart, PARTS, spentMs, usOfEach } from '../spent.ts';
import { median } from '../stats.ts';

const REQUESTS = 6000;
const CONNECTIONS = 32;
const RISE_MAX = 1.1;
const YEAR_MS = 365 * 86_400_000;

const { values } = commandLine({
  name: 'npm run bench:links',
  about:
    'Measures what a redirect costs a gateway, Redis and Postgres as processor time, for a plain link, for links with times, with a slug of one’s own and by an earlier slug, and for ended ones. Ends with 1 when a redirect of any kind costs more than 1.1 times as much as a plain one.',
  options: {
    rounds: whole('rounds of each kind; the median counts', 9),
  },
  examples: [['--rounds 3', 'a rough answer']],
});

/** Sends a change with a key. @throws When it is refused. */
const createPatch = (url: string, key: string) => async (path: string, body: object) => {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`PATCH ${path} answered ${answer.status}: ${await answer.text()}`);
};

/** Makes the slugs of each kind of link, a hundred each; the plain ones come first. */
const createKinds = async (
  url: string,
  key: string,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const patch = createPatch(url, key);
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const plain = await createLinks(url, key);
  const timed = await createLinks(url, key);
  await patch('/links', { slugs: timed, change: { active_from: at(-YEAR_MS), active_until: at(YEAR_MS) } });
  const ended = await createLinks(url, key);
  const change = { active_until: at(-YEAR_MS), after_destination: 'https://example.com/over' };
  await patch('/links', { slugs: ended, change });
  const dead = await createLinks(url, key);
  await patch('/links', { slugs: dead, change: { active_until: at(-YEAR_MS) } });
  await patch('/account', { deadLinkUrl: 'https://example.com/dead' });
  const renamed = await createLinks(url, key);
  const own = renamed.map((_, n) => `spring-menu-of-the-house-${String.fromCharCode(97 + (n % 26))}-x${n}`);
  for (const [n, slug] of renamed.entries()) await patch(`/links/${slug}`, { slug: own[n] });
  return {
    plain,
    'a start and an end': timed,
    'ended, with an address for that': ended,
    "ended, the account's address (no scan)": dead,
    "a slug of one's own, 30 characters": own,
    'by the slug before that': renamed,
  };
};

const totalOf = (us: ByPart): number => PARTS.reduce((sum, part) => sum + us[part], 0);

await inScope(async (scope) => {
  const env = { GATEWAYS: '1', RENDER_THREADS: '1' };
  const { gateway, backends, aim } = await startTestbed(scope, { run: 'links', env });
  const kinds = Object.entries(await createKinds(gateway.url, aim.key));
  const generator = startGenerator(scope);
  let firstSerial = 0;
  const roundOf = async (slugs: readonly string[]): Promise<ByPart> => {
    const job = {
      url: gateway.url,
      mix: [['redirect', 1]] as const,
      aim: { ...aim, slugs },
      firstSerial,
      connections: CONNECTIONS,
      requests: REQUESTS,
    };
    const before = spentMs(gateway.pid, backends);
    const { tally, nextSerial } = await generator.counted(job);
    if (failuresOf(tally) > 0) throw new Error(`redirects failed: ${JSON.stringify(tally)}`);
    firstSerial = nextSerial;
    return usOfEach(before, spentMs(gateway.pid, backends), REQUESTS);
  };

  for (const [, slugs] of kinds) await roundOf(slugs);
  const rounds = kinds.map((): ByPart[] => []);
  for (let n = 0; n < Number(values.rounds); n += 1) {
    for (const [i, [, slugs]] of kinds.entries()) rounds[i]!.push(await roundOf(slugs));
  }
  const totals = rounds.map((ofKind) => median(ofKind.map(totalOf)));
  const rises = rounds.map((ofKind) => median(ofKind.map((us, n) => totalOf(us) / totalOf(rounds[0]![n]!))));
  say('microseconds of processor time for one redirect\n');
  say(
    table(
      ['', ...PARTS, 'all', 'times a plain one'],
      kinds.map(([name], i) => [
        name,
        ...PARTS.map((part) => figure(median(rounds[i]!.map((us) => us[part])))),
        figure(totals[i]!),
        figure(rises[i]!),
      ]),
    ),
  );
  if (Math.max(...rises) > RISE_MAX) process.exitCode = 1;
});
