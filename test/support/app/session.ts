/** A browser that is signed in to the dashboard. */
import type { Answer, Call, TestApp } from './app.ts';
import { patiently } from './patient.ts';

/** The header that browsers send with same-origin requests of a page. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** The cookie that an answer sets, as the browser will send it. */
export const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';', 1)[0]!;

/** Signs in with a key, and returns the cookie of the session. @throws When the app refuses. */
export const signIn = async ({ call }: Pick<TestApp, 'call'>, key: string): Promise<string> => {
  const answer = await patiently(() =>
    call({ method: 'POST', url: '/dashboard/session', headers: SAME_ORIGIN, body: { key } }),
  );
  if (answer.status !== 200) throw new Error(answer.text);
  return cookieOf(answer);
};

/** Makes calls with the cookie of a session, like the page of the dashboard. */
export const withCookie =
  ({ call }: Pick<TestApp, 'call'>, cookie: string) =>
  (
    method: NonNullable<Call['method']>,
    url: string,
    body?: unknown,
    headers: Call['headers'] = SAME_ORIGIN,
  ) =>
    call({ method, url, headers: { cookie, ...headers }, ...(body === undefined ? {} : { body }) });
