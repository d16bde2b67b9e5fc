/** How attacks are written. */
import { LARGE_GRADIENT } from '../../../bench/load/styles.ts';
import type { Caller, Method } from '../../servers/caller.ts';
import type { Tenant } from '../tenant.ts';

/** What lanes of an account call. */
export interface Lane extends Pick<Caller, 'ask' | 'send'> {
  readonly tenant: Tenant;
  /** Returns a number that no call had before. */
  next(): number;
}

/** Makes a call of a route, and what is needed before and after it. */
export type Attack = (lane: Lane) => Promise<unknown>;

/** Room for fields, paths and headers besides the address. */
const ADDRESS_CHARACTERS = 700;

/** Returns a long address that no call had before. */
export const addressOf = ({ next }: Lane): string =>
  `https://example.com/${next()}/`.padEnd(ADDRESS_CHARACTERS, 'x');

type Text = string | ((lane: Lane) => string);

const textOf = (text: Text, lane: Lane): string => (typeof text === 'string' ? text : text(lane));

/** Returns a call to the API. @param path Without `/api/v1`. */
export const call =
  (
    method: Method,
    path: Text,
    bodyOf?: (lane: Lane) => unknown,
    headers?: Readonly<Record<string, string>>,
  ): Attack =>
  (lane) =>
    lane.send(method, `/api/v1${textOf(path, lane)}`, {
      ...(bodyOf !== undefined && { body: bodyOf(lane) }),
      ...(headers !== undefined && { headers }),
    });

/** Returns a call that reads. */
export const get = (path: Text): Attack => call('GET', path);

/** Makes one call after the other. */
export const inTurn =
  (...attacks: readonly Attack[]): Attack =>
  async (lane) => {
    for (const attack of attacks) await attack(lane);
  };

/** Makes a thing, and deletes it, so that a bound of how many there may be is never reached. */
export const madeAndDeleted =
  (path: Text, bodyOf?: (lane: Lane) => unknown): Attack =>
  async (lane) => {
    const place = `/api/v1${textOf(path, lane)}`;
    const { status, body } = await lane.ask<{ readonly id: string }>('POST', place, {
      ...(bodyOf !== undefined && { body: bodyOf(lane) }),
    });
    return status < 300 ? lane.send('DELETE', `${place}/${body.id}`) : undefined;
  };

/** Returns a path with the id of one of the things of the account. */
export const of = (path: string, id: keyof Tenant) => (lane: Lane) =>
  path.replace(':id', String(lane.tenant[id]));

/** Returns a picture that is expensive to draw, and was not drawn before. */
export const largePicture = (lane: Lane) => ({ ...LARGE_GRADIENT, data: addressOf(lane).slice(0, 400) });
