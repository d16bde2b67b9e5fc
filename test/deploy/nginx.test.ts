/** nginx as configured in docs/operations/servers.md accepts the bodies that a gateway accepts, and streams batches. */
import { request } from 'node:http';
import t from 'tap';
import { BATCH_MAX_BYTES } from '../../src/batches/receive/limits.ts';
import { readConfig } from '../../src/config/config.ts';
import { readPage } from '../docs/pages.ts';
import { serve } from '../servers/listen.ts';
import { startNginx } from '../servers/proxies/nginx.ts';

// Answers as soon as it sees a request, before its body.
const gateway = await serve(t, (_, answer) => answer.writeHead(202).end());
const front = await startNginx(t, [Number(new URL(gateway).port)]);

/** Announces a body, sends its first byte, and returns the status of the answer. */
const announce = (path: string, bytes: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-length': bytes };
    const sent = request(front.url + path, { method: 'POST', headers, agent: false }, (answer) => {
      resolve(answer.statusCode!);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.write('[');
  });

t.test('a batch of the maximum size is streamed to the gateway without buffering', async (t) => {
  for (const path of ['/api/v1/batches', '/api/v1/batches?format=csv'])
    t.equal(await announce(path, BATCH_MAX_BYTES), 202, path);
});

t.test('other bodies are limited to the size of the largest bulk call', async (t) => {
  const { bulkBodyLimitBytes } = readConfig({});
  t.equal(await announce('/api/v1/qr/bulk', BATCH_MAX_BYTES), 413);
  const page = readPage('docs/operations/servers.md');
  const [, megabytes] = /^ {4}client_max_body_size (\d+)m;$/m.exec(page)!;
  t.ok(Number(megabytes) * 2 ** 20 >= bulkBodyLimitBytes);
});
