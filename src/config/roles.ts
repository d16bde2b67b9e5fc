/** The roles of gateways. Everything that differs between them is in this table. */

/** A store that several gateways share, by the name of its variable. */
export type SharedStore = 'DATABASE_URL' | 'REDIS_URL';

/** What a gateway does. */
export interface Duties {
  /** What HTTP serves besides health checks and metrics. `calls` includes redirects. */
  readonly serves: 'calls' | 'redirects' | 'nothing';
  /** Whether it does the work in the background that gateways share. */
  readonly works: boolean;
  /** The stores that gateways share of which one has the role. */
  readonly shares: readonly SharedStore[];
  /** What the answer to a path without a route says; absent: that there is no such path. */
  readonly unknownPath?: string;
}

/** The roles, by what `ROLE` names them. */
export const ROLES = {
  all: { serves: 'calls', works: true, shares: ['DATABASE_URL', 'REDIS_URL'] },
  redirect: {
    serves: 'redirects',
    works: false,
    shares: ['DATABASE_URL'],
    unknownPath:
      'This gateway has ROLE=redirect and serves only short links, own domains and Digital Link URIs.',
  },
  api: { serves: 'calls', works: false, shares: ['DATABASE_URL', 'REDIS_URL'] },
  worker: {
    serves: 'nothing',
    works: true,
    shares: ['DATABASE_URL', 'REDIS_URL'],
    unknownPath: 'This gateway has ROLE=worker and serves no calls.',
  },
} as const satisfies Readonly<Record<string, Duties>>;

/** What `ROLE` may be. */
export type Role = keyof typeof ROLES;
