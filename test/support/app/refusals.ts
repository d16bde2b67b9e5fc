/** Tables of what is refused. */
import type { Test } from 'tap';
import type { Answer } from './app.ts';

/**
 * Sends each of the cases, which must be refused with details that match.
 *
 * @param expected What else all answers must have; status 400 by default.
 */
export const refusesAll = async <T>(
  t: Test,
  send: (sent: T) => Promise<Answer>,
  cases: readonly (readonly [T, string | RegExp])[],
  { status = 400, error = /./ }: { readonly status?: number; readonly error?: string | RegExp } = {},
): Promise<void> => {
  for (const [sent, details] of cases) {
    const { status: found, json } = await send(sent);
    t.match(
      { status: found, json },
      { status, json: { error, details } },
      JSON.stringify(sent)?.slice(0, 100),
    );
  }
};
