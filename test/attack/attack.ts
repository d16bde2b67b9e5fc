/** What an attack is, and what it has to work with. */
import type { Credentials } from '../hostile/odd-requests.ts';
import type { RawAnswer } from '../hostile/wire.ts';
import type { Answer, Ask } from './client.ts';
import type { Held } from './held.ts';

export interface Attack {
  /** The name that `--only` takes. */
  readonly name: string;
  /** What must hold, in addition to what must hold under every attack. */
  readonly holds: string;
  /** Whether it comes from an account of its own, for which it needs the admin token. */
  readonly needsAccount?: true;
  run(field: Field): Promise<void>;
}

export interface Attacker {
  readonly id: string;
  readonly key: string;
}

/** One attack's view of the gateway. It counts all requests; every 5xx but 503 is a fault. */
export interface Field {
  readonly host: string;
  readonly port: number;
  /** Seed of everything random. It is printed, so that a run can be repeated. */
  readonly seed: number;
  /** Number of requests of an attack that generates them. */
  readonly count: number;
  /** Sends a request as a client library does. */
  ask(request: Ask): Promise<Answer>;
  /** Sends bytes over a connection of their own. */
  bytes(text: string | Buffer, isWhole?: boolean): Promise<RawAnswer>;
  /** Opens a connection, writes, and keeps it open. */
  hold(text: string | Buffer): Held;
  /** Records the fault `what` unless `holds`. */
  expect(holds: boolean, what: string): void;
  /** Creates an account on the Pro plan. @throws When there is no admin token. */
  account(wanted?: { readonly monthlyQuota?: number }): Promise<Attacker>;
  /** Returns the credentials of a new account; without an admin token, credentials of nobody. */
  credentials(): Promise<Credentials>;
}
