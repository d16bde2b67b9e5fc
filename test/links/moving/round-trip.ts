/** Random links move from one gateway to another with an empty database: where do they lead before and after? */
import type { AnswerBody } from '../../support/app/answer-body.ts';
import { createFractions } from '../../support/random.ts';

export interface RoundTripOptions {
  readonly links: number;
  readonly seed: number;
  /** An account of each gateway. */
  readonly from: MovingSide;
  readonly to: MovingSide;
  say(text: string): void;
}

/** A gateway, and a key of an account there. */
export interface MovingSide {
  readonly url: string;
  readonly key: string;
}

const VISITORS: readonly Readonly<Record<string, string>>[] = [
  {
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Safari/604.1',
    'accept-language': 'de-CH,de;q=0.9',
  },
  {
    'user-agent':
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36',
    'accept-language': 'fr,en;q=0.5',
  },
];
/** Requests that are under way at once. */
const AT_ONCE = 32;
const DAY_MS = 86_400_000;
const SETS = 5;
/** Some links have one id. */
const IDS = 5000;

/** Makes what a random link is, as a row of an import. */
const createRows = (seed: number, nowMs: number) => {
  const random = createFractions(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const often = (share: number): boolean => random() < share;
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const address = (): string =>
    `https://${pick(['example.com', 'example.org', 'bücher.example', 'example.com:8443'])}/${pick(['', 'a', 'a/b c', 'ü%20x', '{slug}', 'x;y,z'])}${
      often(0.3) ? `?q=${pick(['1', 'a&b=c', '"quoted"', '{query.utm_source}', '%0A'])}` : ''
    }${often(0.2) ? '#part' : ''}`;
  const when = (): object =>
    pick<() => object>([
      () => ({ language: [pick(['de', 'fr', 'en'])] }),
      () => ({ device: [pick(['ios', 'android', 'desktop'])] }),
      () => ({ query: { utm_source: often(0.5) ? ['poster'] : [] } }),
      () => ({ date: { from: new Date(nowMs + (below(20) - 10) * DAY_MS).toISOString() } }),
      () => ({
        time: { zone: 'Europe/Berlin', weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
      }),
      () => ({ share_percent: 1 + below(99) }),
      () => ({ device: ['ios', 'android'], language: ['de', 'fr'] }),
    ])();
  const rules = (count: number): object[] =>
    Array.from({ length: count }, (_, i) => ({ name: `rule-${i}`, when: when(), destination: address() }));
  const sets = Array.from({ length: SETS }, (_, i) => ({
    name: `Set ${i}; "${i}"`,
    rules: rules(1 + below(3)),
  }));
  const time = (): string => new Date(nowMs + (below(2000) - 1000) * DAY_MS - below(DAY_MS)).toISOString();
  return (place: number): object => {
    const slug = `rt-${place}-q`;
    const times = [time(), time()].toSorted();
    return {
      ...{ slug, destination: address(), scans: below(50) },
      ...(often(0.5) && { name: pick(['=1+1', 'Menü', '"x", y', 'a\tb', `Link ${place}`]) }),
      ...(often(0.5) && { tags: [`t${below(9)}`, 'a;b', '[x]'].slice(below(3)) }),
      ...(often(0.3) && { external_id: `id ${below(IDS)}` }),
      ...(often(0.5) && { folder: `Folder ${below(7)}` }),
      ...(often(0.3) && { active_from: times[0] }),
      ...(often(0.3) && { active_until: times[1] }),
      ...(often(0.3) && { before_destination: address() }),
      ...(often(0.3) && { after_destination: address() }),
      ...(often(0.4) && {
        forward: {
          query: pick(['drop', 'keep-own', 'keep-theirs']),
          path: often(0.5),
          utm: often(0.5) ? { source: pick(['qr', '{slug}']) } : {},
        },
      }),
      ...(often(0.3) && { rules: rules(1 + below(5)) }),
      ...(often(0.2) && { rule_set: pick(sets) }),
      ...(often(0.2) && { visit_limit: 1 + below(60) }),
      ...(often(0.01) && { password: pick(['open sesame', 'Füße', 'p"4;,']) }),
      ...(often(0.2) && { other_slugs: [`rt-${place}-old`] }),
      ...(often(0.5) && { created_at: new Date(nowMs - below(1000) * DAY_MS).toISOString() }),
    };
  };
};

const callsOf = ({ url, key }: MovingSide) => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/api/v1${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  return {
    /** Imports a file, and returns the job when it has ended. */
    async run(body: string, type: string): Promise<AnswerBody> {
      const sent = await ask('/links/imports', { method: 'POST', headers: { 'content-type': type }, body });
      if (!sent.ok) throw new Error(await sent.text());
      const { id } = (await sent.json()) as AnswerBody;
      for (;;) {
        const job = (await (await ask(`/link-jobs/${id}`)).json()) as AnswerBody;
        if (job.finished_at !== null) return job;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    exported: async (format: string) => (await ask(`/links/export?passwords=hashed&format=${format}`)).text(),
    faultsOf: async (id: string) => (await ask(`/link-jobs/${id}/faults`)).text(),
  };
};

/** What a visit that only looks gets: it counts for no limit. */
const leadsTo = async (url: string, path: string, headers: Readonly<Record<string, string>>) => {
  const answer = await fetch(url + path, { method: 'HEAD', redirect: 'manual', headers });
  return `${answer.status} ${answer.headers.get('location') ?? ''}`;
};

const askAll = async (url: string, slugs: readonly string[]): Promise<readonly string[]> => {
  const visits = slugs.flatMap((slug) =>
    VISITORS.map((headers, i) => ({
      path: i === 0 ? `/l/${slug}` : `/l/${slug}/size/42?utm_source=poster&x=1`,
      headers,
    })),
  );
  const found: string[] = [];
  for (let at = 0; at < visits.length; at += AT_ONCE)
    found.push(
      ...(await Promise.all(
        visits.slice(at, at + AT_ONCE).map(({ path, headers }) => leadsTo(url, path, headers)),
      )),
    );
  return found;
};

/** Moves random links, in both formats, and returns what is not as it was. */
export const moveThereAndBack = async ({ links, seed, from, to, say }: RoundTripOptions) => {
  const faults: string[] = [];
  const rowOf = createRows(seed, Date.now());
  const rows = Array.from({ length: links }, (_, place) => rowOf(place));
  const slugs = rows.flatMap((row) => {
    const { slug, other_slugs: others = [] } = row as { slug: string; other_slugs?: string[] };
    return [slug, ...others];
  });
  const [source, target] = [callsOf(from), callsOf(to)];
  const made = await source.run(rows.map((row) => JSON.stringify(row)).join('\n'), 'application/x-ndjson');
  if (made.made !== links)
    faults.push(`${made.made} of ${links} links made: ${await source.faultsOf(made.id)}`);
  const csv = await source.exported('csv');
  const moved = await target.run(csv, 'text/csv');
  if (moved.made !== links)
    faults.push(`${moved.made} of ${links} links moved: ${await target.faultsOf(moved.id)}`);
  for (const format of ['csv', 'ndjson'])
    if ((await source.exported(format)) !== (await target.exported(format)))
      faults.push(`the exports as ${format} differ`);
  const [before, after] = [await askAll(from.url, slugs), await askAll(to.url, slugs)];
  const differing = before.filter((answer, i) => answer !== after[i]).length;
  if (differing > 0) {
    const at = before.findIndex((answer, i) => answer !== after[i]);
    faults.push(`${differing} answers differ; the first: ${before[at]} before, ${after[at]} after`);
  }
  const led = before.filter((answer) => answer.startsWith('30')).length;
  say(`${links} links, ${before.length} visits before and after, of which ${led} are led on`);
  return { visits: before.length, led, bytes: csv.length, faults };
};
