import { createLinks } from '../../test/servers/account.ts';
import { startTestbed } from '../../test/servers/testbed.ts';
import { startGenerator } from '../load/fire.ts';
import { atMost } from '../verdict.ts';
import type { Part } from './part.ts';
import { costVerdicts, measureInTurns } from './turns.ts';

const REQUESTS = 6000;
const ROUNDS = 9;
const RISE_MAX = 1.1;
const YEAR_MS = 365 * 86_400_000;

/** Makes a hundred links of each kind and returns their slugs, the plain ones first. */
const createKinds = async (
  url: string,
  key: string,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const patch = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`PATCH ${path} answered ${answer.status}: ${await answer.text()}`);
  };
  const changed = async (change: object): Promise<readonly string[]> => {
    const slugs = await createLinks(url, key);
    await patch('/links', { slugs, change });
    return slugs;
  };
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const past = { active_until: at(-YEAR_MS) };
  const plain = await createLinks(url, key);
  const timed = await changed({ active_from: at(-YEAR_MS), active_until: at(YEAR_MS) });
  const ended = await changed({ ...past, after_destination: 'https://example.com/over' });
  const dead = await changed(past);
  await patch('/account', { dead_link_url: 'https://example.com/dead' });
  const renamed = await createLinks(url, key);
  const own = renamed.map((_, n) => `spring-menu-of-the-house-${String.fromCharCode(97 + (n % 26))}-x${n}`);
  for (const [n, slug] of renamed.entries()) await patch(`/links/${slug}`, { slug: own[n] });
  return {
    plain,
    'a start and an end': timed,
    'ended, with a destination for visitors after the end': ended,
    'ended, with the destination of the account (no scan)': dead,
    'a custom slug of 30 characters': own,
    'by its former slug': renamed,
  };
};

/** The cost of a redirect for each kind of link. */
export const links: Part = {
  about: 'the cost of a redirect for each kind of link, compared with a plain one',
  async run(scope, { share }) {
    const env = { GATEWAYS: '1', RENDER_THREADS: '1' };
    const testbed = await startTestbed(scope, { run: 'links', env });
    const kinds = Object.entries(await createKinds(testbed.gateway.url, testbed.aim.key));
    const turns = kinds.map(([name, slugs]) => ({
      ...testbed,
      name,
      aim: { ...testbed.aim, slugs },
      kind: 'redirect' as const,
      requests: Math.ceil(REQUESTS * share),
      connections: 32,
    }));
    const costs = await measureInTurns(startGenerator(scope), turns, Math.ceil(ROUNDS * share));
    return [
      ...costs.flatMap(costVerdicts),
      ...costs.slice(1).map(({ name, ratio }) => atMost(`${name} against plain`, ratio, RISE_MAX, 'times')),
    ];
  },
};
