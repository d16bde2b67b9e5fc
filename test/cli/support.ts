/** What tests of the command line share: a terminal that keeps what is written, and a gateway that does as told. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCli } from '../../src/cli/cli.ts';
import type { TestScope } from '../servers/server-process.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process. */
export const run = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  interrupted: AbortSignal = new AbortController().signal,
): Promise<Ran> => {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    env,
    cwd: '/',
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    onInterrupt: () => interrupted,
  });
  return { code, out, err };
};

/** What `tessera bulk` sends. */
export interface BulkBody {
  readonly folderId?: string;
  readonly folderName?: string;
  readonly items: readonly { readonly data: string; readonly dynamic?: boolean }[];
}

/** One request to the gateway that does as told, its body read. */
export interface Received {
  readonly url: string;
  readonly idempotencyKey: string | undefined;
  readonly authorization: string | undefined;
  /** That of a batch; `undefined` for a call without a body. */
  readonly body: BulkBody;
}

/** An answer, or `hang-up` for a connection that ends without one. */
export type Reply =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'hang-up';

const read = async (request: IncomingMessage): Promise<Received> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    url: request.url ?? '',
    idempotencyKey: request.headers['idempotency-key'] as string | undefined,
    authorization: request.headers.authorization,
    body: text === '' ? undefined : JSON.parse(text),
  };
};

/** A gateway in name only: answers what `reply` says, and keeps what it was asked. */
export const fakeGateway = async (
  scope: TestScope,
  reply: (received: Received, index: number) => Reply | Promise<Reply>,
): Promise<{ readonly url: string; readonly received: readonly Received[] }> => {
  const received: Received[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await read(request);
    const told = await reply(asked, received.push(asked) - 1);
    if (told === 'hang-up') {
      request.socket.destroy();
      return;
    }
    response.writeHead(told.status, { 'content-type': 'application/json', ...told.headers });
    response.end(typeof told.body === 'string' ? told.body : JSON.stringify(told.body));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
};

/** A picture that stands for its text. */
export const fakePicture = (text: unknown): string =>
  `data:image/png;base64,${Buffer.from(`picture of ${String(text)}`).toString('base64')}`;

/** What a gateway answers when every item can be made. */
export const made = ({ body }: Received): Reply => ({
  status: 200,
  body: {
    success: true,
    results: body.items.map((item) => ({ success: true, data: fakePicture(item.data) })),
    meta: { remaining: 1000 },
  },
});
