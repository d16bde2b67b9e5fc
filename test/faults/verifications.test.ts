/** Gateway processes on one Redis and one Postgres: one is killed while it verifies a folder, and another continues. */
import t from 'tap';
import { checkReceipt } from '../../src/verify/receipt/document.ts';
import { createAccount } from '../servers/account.ts';
import { type GatewayProcess, startGateway } from '../servers/gateway-process.ts';
import { until as wait } from '../servers/until.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { startStores, until } from './stack.ts';

/** Four pages of the verifier: it is killed after the first. */
const CODES = 200;

const stores = await startStores(t);
const env = { ...stores.env, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' };

/** Repeats a call that timed out on a busy machine, which costs nothing. */
const send = async (gateway: GatewayProcess, path: string, token: string, body?: unknown) => {
  let response: Response;
  await wait(async () => {
    response = await fetch(gateway.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.status !== 503;
  });
  const text = await response!.text();
  return { text, json: JSON.parse(text) as AnswerBody };
};

t.test('when a gateway dies, another continues, and the receipt has every code once', async (t) => {
  const victim = await startGateway(t, env);
  const { key } = await createAccount(victim.url, ADMIN_TOKEN, 'test');
  const texts = Array.from({ length: CODES }, (_, i) => `code ${i}`);
  let folder = '';
  for (let at = 0; at < CODES; at += 100) {
    const items = texts.slice(at, at + 100).map((data) => ({ data }));
    const { json } = await send(victim, '/api/v1/qr/bulk', key, { folderName: 'Cups', items });
    folder = `/api/v1/folders/${json.meta.folder_id}`;
  }
  const begun = await send(victim, `${folder}/verifications`, key, {});
  const path = `${folder}/verifications/${begun.json.id}`;
  const readBy = async (gateway: GatewayProcess) => (await send(gateway, path, key)).json;
  await until(t, 'some codes are verified', async () => (await readBy(victim)).read > 0);
  victim.process.kill('SIGKILL');
  await victim.ended;
  const survivor = await startGateway(t, env);
  const atKill = (await readBy(survivor)).read;
  t.ok(atKill > 0 && atKill < CODES, `${atKill} of ${CODES} codes were read when it was killed`);
  const ms = await until(t, 'it is done', async () => (await readBy(survivor)).state === 'done');
  t.comment(`done ${Math.round(ms)} ms after the other gateway was ready`);
  t.match(await readBy(survivor), { state: 'done', total: CODES, read: CODES, passed: CODES });

  const { text, json } = await send(survivor, `${path}/receipt`, key);
  t.strictSame(
    json.codes.map((code) => code.text),
    texts,
  );
  const { keys } = (await send(survivor, '/.well-known/tessera-receipts', key)).json;
  t.ok(checkReceipt(text, keys).ok, 'signed with the key that both share');
});
