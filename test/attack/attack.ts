/** What an attack is, and what it has to work with. */
import type { Credentials } from '../hostile/odd-requests.ts';
import type { RawAnswer } from '../hostile/wire.ts';
import type { Answer, Ask } from './client.ts';
import type { Held } from './held.ts';

export interface Attack {
  /** For `--only`. */
  readonly name: string;
  /** What must hold, beside what holds under every attack. */
  readonly holds: string;
  /** It comes from an account of its own, so it needs the admin token. */
  readonly needsAccount?: true;
  run(field: Field): Promise<void>;
}

export interface Attacker {
  readonly id: string;
  readonly key: string;
}

/** One attack's view of the gateway. Everything sent is counted; a 5xx other than 503 is a fault by itself. */
export interface Field {
  readonly host: string;
  readonly port: number;
  /** Of all that is random, printed for replay. */
  readonly seed: number;
  /** Requests that are made up, where an attack has any number of them. */
  readonly count: number;
  /** Sends a request that a client library would. */
  ask(request: Ask): Promise<Answer>;
  /** Sends bytes over a connection of their own. */
  bytes(text: string | Buffer, isWhole?: boolean): Promise<RawAnswer>;
  /** Opens a connection, writes, and keeps it. */
  hold(text: string | Buffer): Held;
  /** Writes down that something did not hold. */
  expect(holds: boolean, what: string): void;
  /** A new account on the Pro plan. @throws When there is no admin token. */
  account(wanted?: { readonly monthlyQuota?: number }): Promise<Attacker>;
  /** A new account's where there is an admin token, otherwise ones that nobody has. */
  credentials(): Promise<Credentials>;
}
