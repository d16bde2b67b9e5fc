/** The checker on made-up histories: valid ones, and for each rule some that violate it. */
import t from 'tap';
import { check, excerpt } from './checker.ts';
import type { Final } from './final.ts';
import type { Answer, Call, Felt, History } from './history.ts';
import type { Operation } from './operations.ts';

const bulk: Operation = {
  name: 'b',
  account: 0,
  by: 0,
  kind: 'bulk',
  isKeyed: true,
  folder: 'B',
  items: ['dynamic', 'failing', 'static'],
};
const single: Operation = { name: 's', account: 0, by: 2, kind: 'single', isKeyed: true };
const batch: Operation = {
  name: 'j',
  account: 0,
  by: 0,
  kind: 'batch',
  isKeyed: true,
  rows: 1,
  isFaulty: false,
};
const credits: Operation = { name: 'c', account: 0, by: 0, kind: 'credits', isKeyed: true, amount: 5 };
const folder: Operation = { name: 'F', account: 0, by: 0, kind: 'folder', isKeyed: false };
const edit: Operation = {
  name: 'e',
  account: 0,
  by: 0,
  kind: 'edit',
  isKeyed: false,
  way: 'rule set',
  slugs: ['M', 'L'],
  setId: 'S',
  first: '',
  destination: 'new',
};
const undo: Operation = {
  name: 'u',
  account: 0,
  by: 0,
  kind: 'undo',
  isKeyed: false,
  slug: 'L',
  changeId: 'C',
  undone: 'new',
};
const visit: Operation = { name: 'v', account: 0, by: 0, kind: 'visit', isKeyed: false, slug: 'L' };

const OLD = 'https://codes.test/b/0';
const OK = {
  single: 200,
  bulk: 200,
  batch: 202,
  credits: 201,
  folder: 201,
  edit: 200,
  undo: 200,
  visit: 302,
} as const;

/** A call of half a second, by default acknowledged. */
const call = (
  operation: Operation,
  beginMs: number,
  answer: Partial<Answer> = {},
  more: Partial<Call> = {},
): Call => ({
  operation,
  gateway: 0,
  attempt: 1,
  beginMs,
  endMs: beginMs + 500,
  outcome: 'ok',
  status: OK[operation.kind],
  answer: { digest: 'd', isReplay: false, slugs: [], names: null, ...answer },
  ...more,
});
const refused = (operation: Operation, beginMs: number, status = 503): Call =>
  call(operation, beginMs, {}, { outcome: 'refused', status, answer: null });
const lost = (operation: Operation, beginMs: number): Call =>
  call(operation, beginMs, {}, { outcome: 'indeterminate', status: null, answer: null });

const made = { slugs: ['L', null, null], names: 'folder B' };
const CALLS: readonly Call[] = [
  call(bulk, 0, made),
  call(bulk, 1000, { ...made, isReplay: true }, { attempt: 2 }),
  call(single, 2000),
  call(batch, 3000, { names: 'batch' }),
  call(credits, 4000),
  call(folder, 5000),
  call(visit, 6000, { names: OLD }),
  call(edit, 10_000),
  call(visit, 10_600, { names: 'new' }),
];
const used = { usage_count: 4, monthly_used: 3, monthly_quota: 3, credits: 4, remaining: 4 };
const summed = {
  ...{ units: 4, monthly: 3, credits: 1, calls: 3, refunded: 0, refunded_late: 0 },
  ...{ load_test_calls: 0, load_test_units: 0 },
};
/** The keys of the account, each of which made the next one. */
const keysOf = (all: number, made: number, last = made) => [
  { quota: null, used: all },
  { quota: 9, used: made },
  { quota: 1, used: last },
];
const FINAL: Final = {
  units: [{ usage: used, history: summed, invoice: summed, keys: keysOf(4, 1) }],
  codes: [
    { content: OLD, folder: 'folder B', slug: 'L' },
    { content: 'https://codes.test/b/2', folder: 'folder B', slug: null },
    { content: 'https://codes.test/j/0', folder: 'folder j', slug: null },
  ],
  folders: ['B', 'j', 'F'].map((name) => ({ id: `folder ${name}`, name })),
  links: [{ slug: 'L', destination: 'new', people: 2, past: [OLD, 'new'] }],
  domains: [{ slug: 'M', destination: 'new' }],
  grants: [{ account: 0, reference: 'c', amount: 5 }],
  batches: [{ id: 'batch', account: 0, by: 0, name: 'j', state: 'done', reason: null, made: 1 }],
  events: [
    { id: '1', account: 0, type: 'batch.done', about: 'batch', isLow: false },
    { id: '1', account: 0, type: 'batch.done', about: 'batch', isLow: false },
    { id: '2', account: 0, type: 'link.first_scan', about: 'L', isLow: false },
  ],
  differences: [],
};

interface Changes {
  readonly calls?: readonly Call[];
  readonly faults?: readonly Felt[];
  readonly final?: Partial<Final>;
}
const historyOf = ({ calls = CALLS, faults = [], final = {} }: Changes): History => {
  return { seed: 1, calls, faults, final: { ...FINAL, ...final }, ttlMs: 10_000, slackMs: 0 };
};
const also = (...calls: Call[]): Changes => ({ calls: [...CALLS, ...calls] });
const instead = (operation: Operation, ...calls: Call[]): Changes => ({
  calls: [...calls, ...CALLS.filter((one) => one.operation !== operation)],
});
const felt = (kind: 'empty redis' | 'kill', beginMs: number): Felt => ({
  blow: { kind, gateways: kind === 'kill' ? [0] : [] },
  beginMs,
  endMs: beginMs + 100,
});
const read = (
  usage: Partial<typeof used>,
  history = summed,
  invoice = history,
  keys = keysOf(history.units, history.units > 3 ? 1 : 0),
) => ({
  final: { units: [{ usage: { ...used, ...usage }, history, invoice, keys }] },
});
const paid = (count: number) =>
  read(
    { usage_count: count, credits: 8 - count, remaining: 8 - count },
    { ...summed, units: count, credits: count - 3 },
  );
const { codes, links, batches, events, grants, folders } = FINAL;
const lacks = (final: Partial<Final>): Changes => ({ final });
const link = (more: Partial<(typeof links)[number]>) => lacks({ links: [{ ...links[0]!, ...more }] });
const told = (more: Partial<(typeof events)[number]>) =>
  lacks({ events: [...events, { ...events[2]!, ...more }] });
const follows = (beginMs: number, names: string, gateway: number) => ({
  ...also(call(visit, beginMs, { names }, { gateway })),
  ...link({ people: 3 }),
});
/** A visit after an undo. */
const undoes = (made: Call, names: string) => ({
  ...also(made, call(visit, 13_000, { names })),
  ...link({ people: 3, destination: names, past: [OLD, 'new', OLD] }),
});
const twice = [...codes, ...codes.slice(0, 2)];
/** A second batch, which failed. */
const failedBy = (by: number): Changes =>
  lacks({
    batches: [...batches, { ...batches[0]!, id: 'k', by, name: 'k', state: 'failed', made: 0 }],
    events: [...events, { ...events[0]!, id: '3', type: 'batch.failed', about: 'k' }],
  });
const replay = call(bulk, 1000, { ...made, isReplay: true });

t.test('the checker accepts valid histories', async (t) => {
  const held: Readonly<Record<string, Changes>> = {
    'a history without faults': {},
    'a refused call without effect': also(refused({ ...bulk, name: 'x' }, 0)),
    'a lost call that was paid': instead(single, lost(single, 2000)),
    'a lost call that was not paid': { ...instead(single, lost(single, 2000)), ...paid(3) },
    'a lost call under a key that was made, and replayed': instead(bulk, lost(bulk, 0), replay),
    'units that were not written when a gateway was killed': { faults: [felt('kill', 2600)], ...paid(3) },
    'units that Redis lost with its data': { faults: [felt('empty redis', 3000)], ...paid(3) },
    'a key that Redis lost with its data': {
      ...instead(bulk, call(bulk, 0, made), call(bulk, 1000, { ...made, digest: 'other' })),
      faults: [felt('empty redis', 600)],
      final: { ...paid(6).final, codes: twice },
    },
    'a batch whose key had too few units': {
      ...also(call({ ...batch, name: 'k', by: 2, rows: 60 }, 3000, { names: 'k' })),
      ...failedBy(2),
    },
    'an outdated redirect of the other gateway within a second': follows(11_400, OLD, 1),
    'a redirect that began before the edit had ended': follows(10_400, OLD, 0),
    'a redirect that shows an undo': undoes(call(undo, 12_000), OLD),
    'a redirect after an undo that may not have been made': undoes(lost(undo, 12_000), 'new'),
  };
  for (const [what, changes] of Object.entries(held)) t.strictSame(check(historyOf(changes)), [], what);
});

t.test('the checker finds each violation', async (t) => {
  const broken: Readonly<Record<string, Readonly<Record<string, Changes>>>> = {
    answers: {
      'a 500': also(refused(single, 2600, 500)),
      'a 404 of a link': also(refused(visit, 7000, 404)),
    },
    replays: {
      'other figures': also(call(single, 2600, { digest: 'other', isReplay: true })),
      'two first answers': also(call(single, 2600)),
      'another batch': also(call(batch, 3600, { names: 'other', digest: 'other' })),
    },
    codes: {
      'twice under a key': {
        ...instead(bulk, refused(bulk, 0), call(bulk, 1000, made)),
        ...lacks({ codes: twice }),
      },
      half: lacks({ codes: codes.slice(1) }),
      'half of a lost call': { ...instead(bulk, lost(bulk, 0)), ...lacks({ codes: codes.slice(1) }) },
      'the codes of a refused call': instead(bulk, refused(bulk, 0)),
      missing: lacks({ codes: codes.slice(2) }),
      'codes with another slug': instead(bulk, call(bulk, 0, { ...made, slugs: ['M', null, null] })),
    },
    batches: {
      missing: lacks({ batches: [] }),
      'two of a key': lacks({ batches: [...batches, ...batches] }),
      'without its codes': lacks({ codes: codes.slice(0, 2) }),
      failed: lacks({ batches: [{ ...batches[0]!, state: 'failed', made: 0 }] }),
      'failed although its key had enough units': {
        ...also(call({ ...batch, name: 'k', by: 2, rows: 59 }, 3000, { names: 'k' })),
        ...failedBy(2),
      },
    },
    folders: {
      missing: lacks({ folders: folders.slice(0, 2) }),
      'without its codes': { ...instead(bulk, lost(bulk, 0)), ...lacks({ codes: codes.slice(2) }) },
    },
    credits: { twice: lacks({ grants: [...grants, ...grants] }), missing: lacks({ grants: [] }) },
    units: {
      'too many': paid(5),
      'too few': paid(3),
      'too few, long after a kill': { faults: [felt('kill', 9000)], ...paid(3) },
      'too few of a lost call whose codes are saved': { ...instead(bulk, lost(bulk, 0)), ...paid(2) },
      'too few of a saved call whose gateway was killed': {
        ...instead(bulk, lost(bulk, 0)),
        faults: [felt('kill', 100)],
        ...paid(2),
      },
      'another count than the history has': read({ usage_count: 5 }),
      'another count than the invoice has': read({}, summed, { ...summed, units: 5 }),
      'another rest': read({ remaining: 5 }),
      'credits that vanish': read({ credits: 3, remaining: 3 }),
      'too few of a key that made another one': read({}, summed, summed, keysOf(4, 0, 1)),
      'too few of a key that was made': read({}, summed, summed, keysOf(4, 1, 0)),
      'too many of a key whose calls others made': read({}, summed, summed, keysOf(4, 2, 1)),
      'more of a key than its quota': {
        ...also(call({ ...single, name: 's2' }, 2600)),
        ...read(
          { usage_count: 5, credits: 3, remaining: 3 },
          { ...summed, units: 5, credits: 2 },
          undefined,
          keysOf(5, 2),
        ),
      },
      'ledgers that differ': lacks({ differences: ['a difference'] }),
    },
    redirects: {
      'an outdated destination at the same gateway': follows(10_501, OLD, 0),
      'an outdated destination at the other gateway': follows(11_501, OLD, 1),
      'a destination that nobody wrote': follows(7000, 'elsewhere', 0),
      'a destination that was undone': undoes(call(undo, 12_000), 'new'),
    },
    edits: {
      'not there': link({ destination: OLD }),
      'not in the history': link({ past: [OLD] }),
      'not there at a domain': lacks({ domains: [{ slug: 'M', destination: OLD }] }),
      'still there after an undo': { ...undoes(call(undo, 12_000), OLD), ...link({ people: 3 }) },
    },
    scans: { 'one too many': link({ people: 3 }), 'one too few': link({ people: 1 }) },
    webhooks: {
      'a batch without an event': lacks({ events: events.slice(2) }),
      'a scan that did not happen': told({ about: 'M' }),
      'one event under two ids': told({ id: '3' }),
      'a low-quota event without a low quota': told({ id: '3', type: 'quota.low' }),
    },
  };
  for (const [rule, cases] of Object.entries(broken))
    for (const [what, changes] of Object.entries(cases))
      t.ok(
        check(historyOf(changes)).some((found) => found.rule === rule),
        `${rule}: ${what}`,
      );
});

t.test('a violation lists its calls and the faults around them', async (t) => {
  const history = historyOf({
    ...follows(10_501, OLD, 0),
    faults: [felt('empty redis', 9000)],
  });
  const text = excerpt(history, check(history)[0]!);
  t.match(text, /^VIOLATION of redirects: it is outdated 1 ms after an edit by the same gateway\n/);
  t.match(text, /9\.000-9\.100 .*"empty redis"/);
  t.match(text, /10\.501-11\.001 gateway 0, attempt 1: ok 302/);
});
