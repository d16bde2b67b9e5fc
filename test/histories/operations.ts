/** The calls of a history as data: the request, its cost and effects, and how to read its answer. */
import { hash } from 'node:crypto';
import type { AnswerBody } from '../support/app/answer-body.ts';
import type { Answer } from './history.ts';

interface Named {
  /** Unique in a run and shared by all attempts. Serves as Idempotency-Key or reference where there is one. */
  readonly name: string;
  readonly account: number;
  /** Which key of the account makes the call: the first one, or one that was made by the key before it. */
  readonly by: number;
}

/** Where an edit is made: a field of the link, the rules of its rule set, the change of many links, or an own domain. */
export type Way = 'destination' | 'rules' | 'rule set' | 'forward' | 'many' | 'domain';

/**
 * Links that are edited together. They are always edited in the same way, so that their redirects show the last edit,
 * whatever comes before it when a link has several.
 */
export interface Edited {
  readonly way: Way;
  /** Of a domain its host, which leads visitors of `/`. */
  readonly slugs: readonly string[];
  /** Their rule set. */
  readonly setId: string | null;
  /** Where they lead at first. */
  readonly first: string;
}

export type Operation = Named &
  (
    | { readonly kind: 'single'; readonly isKeyed: boolean }
    | {
        readonly kind: 'bulk';
        readonly isKeyed: boolean;
        readonly folder: string;
        readonly items: readonly ('static' | 'dynamic' | 'failing')[];
      }
    | { readonly kind: 'batch'; readonly isKeyed: true; readonly rows: number; readonly isFaulty: boolean }
    | { readonly kind: 'credits'; readonly isKeyed: true; readonly amount: number }
    | { readonly kind: 'folder'; readonly isKeyed: false }
    | ({ readonly kind: 'edit'; readonly isKeyed: false; readonly destination: string } & Edited)
    | {
        readonly kind: 'undo';
        readonly isKeyed: false;
        readonly slug: string;
        readonly changeId: string;
        /** What the undone change had set. */
        readonly undone: string;
      }
    | { readonly kind: 'visit'; readonly isKeyed: false; readonly slug: string }
  );

export type Kind = Operation['kind'];
export type Of<K extends Kind> = Extract<Operation, { kind: K }>;

/** What the clients know about the run so far. */
export interface World {
  /** Returns a name that is unique in the run. */
  nextName(): string;
  /** Links to edit and to visit: a few that all clients share, and the newest ones. */
  readonly links: readonly Edited[];
}

/** Accounts: one with more units than the run uses, and one that soon depends on credits. */
export const QUOTAS = [1_000_000, 20] as const;
/** The quotas of the keys of an account, each of which the key before it has made. They are used up during a run. */
export const KEY_QUOTAS = [null, 150, 60] as const;
/** The share of calls that the first key makes. */
const FIRST_KEY = 0.7;
const SHARED_FOLDERS = 3;
const SMALL = { width: 60, height: 60 };

export const contentOf = ({ name }: Named, index: number): string => `https://codes.test/${name}/${index}`;

/** The contents of the codes that an acknowledged bulk call saves. */
export const savedBy = (operation: Of<'bulk'>): string[] =>
  operation.items.flatMap((item, index) => (item === 'failing' ? [] : [contentOf(operation, index)]));

/** The cost of an acknowledged call. Batches report at the end what they made. */
export const unitsOf = (operation: Operation): number => {
  if (operation.kind === 'single') return 1;
  return operation.kind === 'bulk' ? savedBy(operation).length : 0;
};

type Random = () => number;
const below = (random: Random, bound: number): number => Math.floor(random() * bound);

/** The relative frequencies of the kinds. */
const WEIGHTS: readonly (readonly [Kind, number])[] = [
  ['edit', 26],
  ['visit', 24],
  ['single', 22],
  ['bulk', 20],
  ['credits', 4],
  ['folder', 3],
  ['batch', 1],
];

const drawKind = (random: Random): Kind => {
  let left = random() * WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of WEIGHTS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'single';
};

/** Makes an operation of each kind. Every second bulk call shares its folder with others. */
export const drawOperation = (random: Random, { nextName, links }: World): Operation => {
  const kind = drawKind(random);
  const by = random() < FIRST_KEY ? 0 : 1 + below(random, KEY_QUOTAS.length - 1);
  const named = { name: nextName(), account: below(random, 3) === 0 ? 1 : 0, by };
  const isKeyed = random() < 0.6;
  switch (kind) {
    case 'single':
      return { ...named, kind, isKeyed };
    case 'bulk': {
      const more = Array.from({ length: below(random, 6) }, () => random());
      const items = more.map((draw) => (draw < 0.3 ? 'failing' : draw < 0.6 ? 'dynamic' : 'static'));
      const folder = random() < 0.5 ? named.name : `shared ${below(random, SHARED_FOLDERS)}`;
      return { ...named, kind, isKeyed, folder, items: ['static', ...items] };
    }
    case 'batch':
      return {
        ...named,
        account: 0,
        kind,
        isKeyed: true,
        rows: 1 + below(random, 20),
        isFaulty: random() < 0.2,
      };
    case 'credits':
      return { ...named, account: 1, kind, isKeyed: true, amount: 1 + below(random, 6) };
    case 'folder':
      return { ...named, kind, isKeyed: false };
    case 'edit':
    case 'visit': {
      const link = links[below(random, links.length)]!;
      const own = { ...named, account: 0, isKeyed: false } as const;
      if (kind === 'visit') return { ...own, kind, slug: link.slugs[below(random, link.slugs.length)]! };
      const { way, first } = link;
      const destination = way === 'forward' ? `${first}?utm_content=${own.name}` : contentOf(own, 0);
      return { ...own, kind, ...link, destination };
    }
    case 'undo':
      // Follows a change.
      throw new Error('an undo has no weight');
  }
};

/** Rules that lead every visit. */
const rulesTo = (destination: string) => [
  { name: 'always', when: { date: { from: '2000-01-01T00:00:00Z' } }, destination },
];

/** Makes a rule set for links. The first edit of these follows at once. */
export const ruleSetOf = (name: string): Request => ({
  ...{ method: 'POST', path: '/api/v1/rule-sets', as: 'account' },
  body: { name, rules: rulesTo('https://codes.test/') },
});
export const giveRuleSet = (slugs: readonly string[], setId: string): Request => ({
  ...{ method: 'PATCH', path: '/api/v1/links', as: 'account' },
  body: { slugs, change: { rule_set_id: setId } },
});

const editOf = ({ way, slugs, setId, destination, name }: Of<'edit'>): Pick<Request, 'path' | 'body'> => {
  const path = `/api/v1/links/${slugs[0]}`;
  switch (way) {
    case 'destination':
      return { path, body: { destination } };
    case 'rules':
      return { path, body: { rules: rulesTo(destination) } };
    case 'forward':
      return { path, body: { forward: { utm: { content: name } } } };
    case 'rule set':
      return { path: `/api/v1/rule-sets/${setId}`, body: { rules: rulesTo(destination) } };
    case 'many':
      return { path: '/api/v1/links', body: { slugs, change: { destination } } };
    case 'domain':
      return { path: `/api/v1/domains/${slugs[0]}`, body: { root_url: destination } };
  }
};

/** @param slug Or the host of a domain. */
export const visitOf = (slug: string): Request =>
  slug.includes('.')
    ? { method: 'GET', as: 'visitor', path: '/', headers: { 'x-forwarded-host': slug } }
    : { method: 'GET', as: 'visitor', path: `/l/${slug}` };

/** An HTTP request. `as` names the owner of its token. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly as: 'account' | 'operator' | 'visitor';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const keyOf = (operation: Operation) =>
  operation.isKeyed ? { headers: { 'idempotency-key': operation.name } } : {};

const itemOf = (operation: Of<'bulk'>, index: number) => {
  const item = operation.items[index];
  if (item === 'failing') return { data: '' };
  return { data: contentOf(operation, index), dynamic: item === 'dynamic', ...SMALL };
};

const rowsOf = (operation: Of<'batch'>): string =>
  Array.from({ length: operation.rows }, (_, index) => {
    const width = operation.isFaulty && index === operation.rows - 1 ? 1 : SMALL.width;
    return JSON.stringify({ data: contentOf(operation, index), dynamic: index % 2 === 1, ...SMALL, width });
  }).join('\n');

/** The request of an operation. @param accountId Id of its account. */
export const requestOf = (operation: Operation, accountId: string): Request => {
  const post = { method: 'POST', as: 'account', ...keyOf(operation) } as const;
  switch (operation.kind) {
    case 'single':
      return { ...post, path: '/api/v1/qr', body: { data: contentOf(operation, 0), ...SMALL } };
    case 'bulk': {
      const items = operation.items.map((_, index) => itemOf(operation, index));
      return { ...post, path: '/api/v1/qr/bulk', body: { folderName: operation.folder, items } };
    }
    case 'batch': {
      const headers = { ...post.headers, 'content-type': 'application/x-ndjson' };
      return {
        ...post,
        headers,
        path: `/api/v1/batches?folder_name=${operation.name}`,
        body: rowsOf(operation),
      };
    }
    case 'credits': {
      const { amount, name: reference } = operation;
      const path = `/admin/v1/accounts/${accountId}/credits`;
      return { method: 'POST', as: 'operator', path, body: { amount, reference } };
    }
    case 'folder':
      return { ...post, path: '/api/v1/folders', body: { name: operation.name } };
    case 'edit':
      return { method: 'PATCH', as: 'account', ...editOf(operation) };
    case 'undo':
      return { ...post, path: `/api/v1/links/changes/${operation.changeId}/undo` };
    case 'visit':
      return visitOf(operation.slug);
  }
};

const BUSY = [429, 503];
/** The statuses of acknowledgements and refusals. No other answer is allowed. */
export const STATUSES: Readonly<Record<Kind, { readonly ok: number; readonly refused: readonly number[] }>> =
  {
    single: { ok: 200, refused: [409, ...BUSY] },
    bulk: { ok: 200, refused: [409, ...BUSY] },
    batch: { ok: 202, refused: [409, ...BUSY] },
    credits: { ok: 201, refused: BUSY },
    folder: { ok: 201, refused: BUSY },
    edit: { ok: 200, refused: BUSY },
    undo: { ok: 200, refused: BUSY },
    visit: { ok: 302, refused: [503] },
  };

/** Reads the compared parts of an answer. A repeated batch or grant is answered with its current state. */
export const readAnswer = (kind: Kind, headers: Headers, text: string): Answer => {
  const isReplay = headers.get('idempotent-replayed') === 'true';
  const body = (text === '' ? {} : JSON.parse(text)) as Partial<AnswerBody>;
  const { meta, id, change_id: changeId, results = [] } = body;
  const names = headers.get('location') ?? meta?.folder_id ?? id ?? changeId ?? null;
  const slugs = kind === 'bulk' ? results.map(({ slug = null }) => slug) : [];
  const digest = `${hash('sha256', text).slice(0, 16)} with ${JSON.stringify(meta)}`;
  return { digest: meta === undefined ? String(names) : digest, isReplay, slugs, names };
};
