import t from 'tap';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { freePort } from '../../servers/server-process.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { ADMIN_TOKEN, startApp } from '../../support/app/app.ts';
import { createConformance, documentedCalls } from '../../support/app/conformance.ts';
import { addressOf } from './address.ts';
import { stepsOf } from './every-call.ts';

const { app, account } = await startApp(t, {
  PORT: String(await freePort()),
  BATCH_STORE: await temporaryFolder(t),
  // The webhooks of this test are sent to this machine.
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
});
await app.listen();
const url = addressOf(app);
const check = createConformance(app.gateway);

t.test('the client can make every documented call, and each gets a documented answer', async (t) => {
  const { key } = await account({ credits: 100 });
  const answered = new Set<string>();
  const repeated = new Set<string>();
  const noted: typeof fetch = async (sent, init) => {
    const response = await fetch(sent, init);
    const text = await response.clone().text();
    const type = response.headers.get('content-type') ?? '';
    const json = type.startsWith('application/json') ? JSON.parse(text) : undefined;
    const { pathname, search } = new URL(String(sent));
    const headers = Object.fromEntries(response.headers);
    const method = init?.method ?? 'GET';
    check({ method, url: pathname + search, status: response.status, headers, text, json });
    if (response.status < 400) answered.add(`${method} ${pathname}`);
    const headersSent = new Headers(init?.headers);
    // An upload that is begun under a key keeps it for its batch.
    const isKeyed = headersSent.has('idempotency-key') && !headersSent.has('upload-complete');
    if (isKeyed && response.status < 400) {
      const again = await fetch(sent, init);
      const name = `${method} ${pathname}, repeated`;
      t.match([again.status, again.headers.get('idempotent-replayed')], [response.status, 'true'], name);
      t.equal(again.headers.get('etag'), response.headers.get('etag'), name);
      // A link job goes on between the two answers.
      if (/[/](link-jobs|imports)$/.test(pathname)) t.equal(JSON.parse(await again.text()).id, json.id, name);
      else if (json !== undefined) t.strictSame(await again.json(), json, name);
      repeated.add(`${method} ${pathname}`);
    }
    return response;
  };
  const client = createClient({ url, key, adminToken: ADMIN_TOKEN, fetch: noted, retries: 0 });
  const steps = Object.entries(stepsOf({ client, url, key }));
  for (const [id, step] of steps)
    await step().catch((error: unknown) => t.fail(`${id}: ${(error as Error).stack}`));
  const documented = documentedCalls(app.gateway);
  t.strictSame(
    documented
      .map(({ operation }) => operation.operationId!)
      .filter((id) => !steps.some(([made]) => made === id)),
    [],
    'every call of the document was made',
  );
  const isAnswered = ({ method, path }: { readonly method: string; readonly path: string }) => {
    const pattern = new RegExp(`^${method} ${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
    return [...answered].some((call) => pattern.test(call));
  };
  t.strictSame(
    documented.filter((call) => !isAnswered(call)).map(({ method, path }) => `${method} ${path}`),
    [],
    'each call has succeeded',
  );
  t.ok(documented.length > 100);
  t.ok(repeated.size > 35, 'calls with an Idempotency-Key were repeated, and answered in the same way');
});
