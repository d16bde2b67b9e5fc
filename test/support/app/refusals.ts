/** Table-driven tests of refusals. */
import type { Test } from 'tap';
import type { Answer } from './app.ts';

/**
 * Sends each of the cases, which must be refused with details that match.
 *
 * @param expected Further requirements for all answers; by default status 400.
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
