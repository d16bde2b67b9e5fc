/** The interface of an attack. */
import type { Credentials } from '../hostile/odd-requests.ts';
import type { RawAnswer } from '../hostile/wire.ts';
import type { Answer, Ask } from './client.ts';
import type { Held } from './held.ts';

export interface Attack {
  /** The name that `--only` takes. */
  readonly name: string;
  /** What must hold, in addition to the checks after every attack. */
  readonly holds: string;
  /** Whether it needs its own account and thus the admin token. */
  readonly needsAccount?: true;
  run(field: Field): Promise<void>;
}

export interface Attacker {
  readonly id: string;
  readonly key: string;
}

/** The gateway as one attack sees it. Counts all requests; every 5xx except 503 is a fault. */
export interface Field {
  readonly host: string;
  readonly port: number;
  /** Seed of all randomness. It is printed, so that a run can be repeated. */
  readonly seed: number;
  /** Number of requests, for an attack that generates random ones. */
  readonly count: number;
  /** Sends a request as a client library does. */
  ask(request: Ask): Promise<Answer>;
  /** Sends bytes over a new connection. */
  bytes(text: string | Buffer, isWhole?: boolean): Promise<RawAnswer>;
  /** Opens a connection, writes, and keeps it open. */
  hold(text: string | Buffer): Held;
  /** Records the fault `what` unless `holds`. */
  expect(holds: boolean, what: string): void;
  /** Creates an account on the Pro plan. @throws When there is no admin token. */
  account(wanted?: { readonly monthlyQuota?: number }): Promise<Attacker>;
  /** Returns the credentials of a new account or, without an admin token, invalid credentials. */
  credentials(): Promise<Credentials>;
}
