/**
 * Sends calls. A call that is refused because the session has ended, or because somebody else has changed the thing
 * meanwhile, waits until a person has signed in again or has chosen between both versions, and is then sent again.
 */
import { noteLine } from './line.ts';

/** Two versions of a thing: what this page sends, and what somebody else has saved meanwhile. */
export interface Conflict {
  /** The fields that are sent; `null`: the thing is deleted. */
  readonly mine: Readonly<Record<string, unknown>> | null;
  readonly theirs: Readonly<Record<string, unknown>>;
}

/** Rejects a call whose thing stays as somebody else has saved it, because a person wants that. */
export class Taken extends Error {}

interface People {
  /** Lets a person sign in again. @returns Whether it is the same account as before. */
  readonly signIn: () => Promise<boolean>;
  /** Lets a person choose. @returns Whether what this page sends is to replace the other version. */
  readonly choose: (conflict: Conflict) => Promise<boolean>;
}

const NOBODY: People = { signIn: async () => false, choose: async () => false };
let people = NOBODY;
/** How often somebody has signed in. A call that was sent before is sent again without asking. */
let signIns = 0;

/** Sets who is asked; `null`: nobody. */
export const onQuestion = (asked: People | null): void => {
  people = asked ?? NOBODY;
};

export const noteSignIn = (): void => {
  signIns += 1;
};

export const signInAgain = (): Promise<boolean> => people.signIn();

const IF_MATCH = 'if-match';
/** The version that a person has agreed to replace, by the address of the thing and the version that the page knows. */
const agreed = new Map<string, string>();

/** Returns the address at which the version of a thing is read, which a call changes. */
const placeOf = ({ url }: Request): URL => {
  const place = new URL(url);
  place.pathname = place.pathname.replace(/\/design$/, '');
  place.searchParams.delete('dry_run');
  return place;
};

const withVersion = (request: Request, etag: string): Request => {
  const headers = new Headers(request.headers);
  headers.set(IF_MATCH, etag);
  return new Request(request, { headers });
};

const keyOf = (request: Request): string => `${placeOf(request)} ${request.headers.get(IF_MATCH)}`;

/**
 * Lets a person choose between both versions. Returns the call to send instead; `null`: theirs cannot be read.
 *
 * @throws {Taken}
 */
const settle = async (request: Request): Promise<Request | null> => {
  const place = placeOf(request);
  const answer = await fetch(place, { signal: request.signal });
  if (!answer.ok) return null;
  const { etag, design, ...fields } = await answer.json();
  const mine = request.method === 'DELETE' ? null : await request.clone().json();
  const theirs = new URL(request.url).pathname === place.pathname ? fields : design;
  if (!(await people.choose({ mine, theirs }))) throw new Taken('The version of somebody else was kept');
  agreed.set(keyOf(request), etag);
  return withVersion(request, etag);
};

/** Sends a call. @throws {Taken} Or as `fetch` does. */
export const send = async (call: Request): Promise<Response> => {
  const known = agreed.get(keyOf(call));
  let request = known === undefined ? call : withVersion(call, known);
  for (;;) {
    const signInsBefore = signIns;
    const response = await fetch(request.clone()).catch((cause: unknown) => {
      if (!request.signal.aborted) noteLine(true);
      throw cause;
    });
    noteLine(false);
    const { status } = response;
    const isOfSession = new URL(request.url).pathname.endsWith('/session');
    if (isOfSession || (status !== 401 && status !== 412)) return response;
    // An answer that nobody reads would occupy the connection while people think.
    const read = new Response(await response.blob(), response);
    if (status === 401) {
      if (signIns === signInsBefore && !(await people.signIn())) return read;
    } else {
      const next = await settle(request);
      if (next === null) return read;
      request = next;
    }
  }
};
