/** A gateway under attack: uploads that no client library would send, and what must hold after each of them. */
import { readdir } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createAccount } from '../../servers/account.ts';
import { until } from '../../servers/until.ts';
import type { AnswerBody } from '../../support/app/answer-body.ts';

/** Where the gateway is, and how it was started. */
export interface Target {
  readonly url: string;
  readonly adminToken: string;
  /** Its `BATCH_STORE`, which has no batches of anyone else. */
  readonly store: string;
  readonly rowsMax: number;
  readonly openMax: number;
}

/** `null`: the connection ended without an answer. */
export interface Answer {
  readonly status: number | null;
  readonly text: string;
  readonly json: AnswerBody;
}

export interface Upload {
  readonly body: Buffer | string | Iterable<Buffer> | AsyncIterable<Buffer>;
  readonly query?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const NOTHING: Answer = { status: null, text: '', json: {} as AnswerBody };
const ANSWER_MAX_MS = 300_000;

const parse = (text: string): AnswerBody => {
  try {
    return JSON.parse(text);
  } catch {
    return {} as AnswerBody;
  }
};

const answerOf = (sent: ClientRequest): Promise<Answer> =>
  new Promise((resolve) => {
    // A gateway that refuses an upload may close the connection during it.
    sent.on('error', () => resolve(NOTHING));
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      const end = () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? null, text, json: parse(text) });
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', end).on('error', end);
    });
  });

/** One account on the target. */
export interface Attacker {
  readonly key: string;
  /** Sends a batch as a stream of unknown length, or with its length if it is a buffer. */
  upload(upload: Upload): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Waits until a batch has ended, and returns it with its first error. */
  ended(
    answer: Answer,
  ): Promise<{ batch: AnswerBody; error: { row?: number; field?: string; message?: string } }>;
  used(): Promise<number>;
  /** Waits until none of the account's batches is unfinished. */
  idle(): Promise<void>;
}

export const createAttacker = async (
  { url, adminToken }: Target,
  options: { readonly name: string },
): Promise<Attacker> => {
  const { key } = await createAccount(url, adminToken, options.name);
  const authorization = `Bearer ${key}`;

  const get = async (path: string): Promise<Answer> => {
    const response = await fetch(url + path, { headers: { authorization } });
    const text = await response.text();
    return { status: response.status, text, json: parse(text) };
  };

  const upload = async ({ body, query = '', type = 'application/x-ndjson', headers = {} }: Upload) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const sent = request(`${url}/api/v1/batches${query}`, {
      method: 'POST',
      agent: false,
      timeout: ANSWER_MAX_MS,
      headers: {
        authorization,
        'content-type': type,
        ...(Buffer.isBuffer(bytes) ? { 'content-length': String(bytes.length) } : {}),
        ...headers,
      },
    });
    sent.on('timeout', () => sent.destroy());
    const answer = answerOf(sent);
    if (Buffer.isBuffer(bytes)) sent.end(bytes);
    // A gateway that stops reading breaks the pipe; its answer gives the reason.
    else await pipeline(Readable.from(bytes), sent).catch(() => {});
    return answer;
  };

  const ended: Attacker['ended'] = async ({ json: { id } }) => {
    const show = async () => (await get(`/api/v1/batches/${id}`)).json;
    if (id === undefined) return { batch: {} as AnswerBody, error: {} };
    await until(async () => (await show()).finished_at !== null, { pauseMs: 30, deadlineMs: 120_000 });
    const [line = '{}'] = (await get(`/api/v1/batches/${id}/errors`)).text.split('\n');
    return { batch: await show(), error: line === '' ? {} : JSON.parse(line) };
  };

  return {
    key,
    upload,
    get,
    ended,
    used: async () => Number((await get('/api/v1/usage')).json.usage_count),
    async idle() {
      await until(
        async () => {
          const { data } = (await get('/api/v1/batches?limit=100')).json as unknown as {
            data: { finished_at: string | null }[];
          };
          return data.every(({ finished_at }) => finished_at !== null);
        },
        { pauseMs: 50, deadlineMs: 120_000 },
      );
    },
  };
};

/** Returns the files in a store, without folders. */
export const filesIn = async (store: string): Promise<readonly string[]> => {
  const entries = await readdir(store, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};
