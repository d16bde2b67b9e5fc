/** The whole app in the process of the test, on its own database. */
import t from 'tap';
import { createApp } from '../../../src/app.ts';
import type { App } from '../../../src/compose/serving.ts';
import { readConfig } from '../../../src/config/config.ts';
import { MUCH_FREE_WORK } from '../../servers/gateway-process.ts';
import type { TestScope } from '../../servers/server-process.ts';
import { realDatabaseUrl } from '../database/database.ts';
import type { AnswerBody } from './answer-body.ts';
import { createConformance } from './conformance.ts';
import { parseJson, watchAnswers } from './watch-answers.ts';

/** The admin token of the apps and gateways of tests. */
export const ADMIN_TOKEN = 'an-admin-token-for-tests';

/** The answer to a call, in all forms that tests use. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** `undefined`, whatever its type says, when the answer is not JSON. */
  readonly json: AnswerBody;
}

/** A request: by default GET, without a key. A body that is neither text nor bytes is sent as JSON. */
export interface Call {
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An app that tests call without a socket. */
export interface TestApp {
  readonly app: App;
  /** Sends a request. @throws When the OpenAPI document does not allow the answer. */
  call(call: Call): Promise<Answer>;
  admin(method: Call['method'], path: string, body?: unknown): Promise<Answer>;
  /** Creates an account with a key. */
  account(wanted?: {
    plan?: 'free' | 'pro';
    monthlyQuota?: number;
    credits?: number;
    scopes?: readonly string[];
  }): Promise<{ id: string; key: string; keyId: string }>;
}

/** The check of the first app. The documents of other apps differ only in their path, as `openapi.test.ts` shows. */
let checkAnswer: ReturnType<typeof createConformance> | undefined;

/**
 * Starts the app. Every answer is checked against the OpenAPI document: a mismatch makes the call fail or, over a
 * socket, the end of the test.
 *
 * @param env Added to the defaults of tests: a silent log, no rate limit, much free work, and a database on a server,
 *   which takes a fifth of the processor time of an embedded one to start. With `DATA_DIR` the database is embedded.
 * @param options.isOdd Requests over sockets are random, and their answers need not match the document.
 */
export const startApp = async (
  scope: TestScope,
  env: Readonly<Record<string, string>> = {},
  { isOdd = false }: { readonly isOdd?: boolean } = {},
): Promise<TestApp> => {
  const config = readConfig({
    DATABASE_URL: env.DATA_DIR === undefined ? (env.DATABASE_URL ?? (await realDatabaseUrl())) : undefined,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '0',
    FREE_WORK_MS_PER_SECOND: MUCH_FREE_WORK,
    RENDER_THREADS: '1',
    PUBLIC_URL: 'http://qr.test',
    ADMIN_TOKEN,
    ...env,
  });
  const app = await createApp(config, () => {
    throw new Error('render threads hang');
  });
  scope.teardown(() => app.close());

  checkAnswer ??= createConformance(app.gateway);
  const faults = watchAnswers(app.gateway, checkAnswer);
  scope.teardown(() => {
    // Throwing here would skip the teardowns that follow.
    for (const fault of isOdd ? [] : faults)
      process.nextTick(() => {
        throw fault;
      });
  });
  const call = async ({ method = 'GET', url, key, headers = {}, body }: Call): Promise<Answer> => {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
    const response = await app.gateway.inject({
      method,
      url,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      bytes: response.rawPayload,
      json: parseJson(response.payload) as AnswerBody,
    };
  };

  const admin = (method: Call['method'] = 'GET', path: string, body?: unknown): Promise<Answer> =>
    call({ method, url: `/admin/v1${path}`, key: ADMIN_TOKEN, body });

  return {
    app,
    call,
    admin,
    async account({ plan = 'pro', monthlyQuota, credits, scopes } = {}) {
      const account = await admin('POST', '/accounts', {
        name: 'test',
        plan,
        monthly_quota: monthlyQuota,
        credits,
      });
      const key = await admin('POST', `/accounts/${account.json.id}/keys`, { name: 'test', scopes });
      return { id: account.json.id, key: key.json.key, keyId: key.json.id };
    },
  };
};

/** An app, and the database that it shares with its peer. */
export type SharedApp = TestApp & { readonly databaseUrl: string };

let shared: Promise<SharedApp> | undefined;
let peer: Promise<TestApp> | undefined;

const startShared = async (): Promise<SharedApp> => {
  const databaseUrl = await realDatabaseUrl();
  return { ...(await startApp(t, { DATABASE_URL: databaseUrl })), databaseUrl };
};

/**
 * Returns the app that the test files of this process share unless they need their own: a start takes a second of CPU
 * time. A test that uses it must use only accounts that it creates.
 */
export const sharedApp = (): Promise<SharedApp> => {
  shared ??= startShared();
  return shared;
};

/** Returns a second gateway on the database of the shared app, which is shared as well. */
export const sharedPeer = (): Promise<TestApp> => {
  peer ??= sharedApp().then(({ databaseUrl }) => startApp(t, { DATABASE_URL: databaseUrl }));
  return peer;
};

/** Returns the PNG in the answer to a single call, whose `data` is a data URL. */
export const pictureOf = ({ json }: Pick<Answer, 'json'>): Buffer => pngOf(String(json.data));

/** Returns the PNG of a data URL. */
export const pngOf = (dataUrl: string): Buffer => {
  const prefix = 'data:image/png;base64,';
  if (!dataUrl.startsWith(prefix)) throw new Error(`not a PNG data URL: ${dataUrl.slice(0, 40)}`);
  return Buffer.from(dataUrl.slice(prefix.length), 'base64');
};
