/** Signatures that the client makes and verifies itself, compared with those of the service. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import {
  type Delivery,
  signPicture,
  verifyWebhook,
  WebhookError,
} from '../../../clients/typescript/src/index.ts';
import { EVENTS as NAMED } from '../../../src/lists.ts';
import { signPath } from '../../../src/signed/address.ts';
import { SECRET_BYTES, signMessage, writeSecret } from '../../../src/webhooks/events.ts';
import { namesOf } from '../../../workers/lists.ts';

const EVENTS = namesOf(NAMED);

const [OLD, NEW, OTHER] = [0, 1, 2].map(() => randomBytes(SECRET_BYTES)) as [Buffer, Buffer, Buffer];
const NOW = new Date('2026-11-25T12:00:00.500Z');
const ID = '9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41';

const messageOf = (data: unknown, event: string = EVENTS[0]!) => ({ id: ID, event, data, createdAt: NOW });
const deliver = (data: unknown, ...secrets: readonly Buffer[]): Delivery =>
  signMessage(messageOf(data), secrets, NOW);
const verify = (delivery: Delivery, secrets: readonly Buffer[], atMs = NOW.getTime()) =>
  verifyWebhook(delivery, { secrets: secrets.map(writeSecret), nowMs: atMs });

t.test('every delivery that the service signs is accepted with its body unchanged', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.constantFrom(...EVENTS), async (text, event) => {
      const { body, headers } = signMessage(messageOf(JSON.parse(text), event), [NEW], NOW);
      t.strictSame(await verify({ body, headers }, [NEW]), JSON.parse(body));
      const bytes = Uint8Array.from(Buffer.from(body));
      t.strictSame(await verify({ body: bytes, headers: new Headers(headers) }, [NEW]), JSON.parse(body));
    }),
  );
});

t.test('during a rotation of secrets, either side may have one secret more than the other', async (t) => {
  const both = deliver({}, OLD, NEW);
  for (const secrets of [[OLD], [NEW], [OLD, NEW], [NEW, OTHER]])
    t.match(await verify(both, secrets), { type: EVENTS[0] });
  t.match(await verify(deliver({}, NEW), [OLD, NEW]), { type: EVENTS[0] });
  await t.rejects(verify(both, [OTHER]), WebhookError);
  await t.rejects(verify(both, []), WebhookError);
});

t.test('forged, changed and outdated deliveries are rejected', async (t) => {
  const { body, headers } = deliver({ a: 1 }, NEW);
  const given = headers as Record<string, string>;
  const changed = (name: string, value: string): Delivery => ({ body, headers: { ...given, [name]: value } });
  const signature = given['webhook-signature']!;
  for (const forged of [
    { body: `${body} `, headers },
    { body: '', headers },
    changed('webhook-id', ID.replace('9', '8')),
    changed('webhook-timestamp', String(Number(given['webhook-timestamp']) + 1)),
    changed('webhook-timestamp', 'now'),
    changed('webhook-signature', signature.replace('v1,', 'v2,')),
    changed('webhook-signature', 'v1,'),
    changed('webhook-signature', 'v1,####'),
    changed('webhook-signature', ''),
  ])
    await t.rejects(verify(forged, [NEW]), WebhookError, JSON.stringify(forged));
  const late = NOW.getTime() + 302_000;
  await t.rejects(verify({ body, headers }, [NEW], late), /too old/);
  await t.rejects(verify({ body, headers }, [NEW], NOW.getTime() - 302_000), /too old/);
  t.match(await verify({ body, headers }, [NEW], NOW.getTime() + 298_000), { data: { a: 1 } });
  await t.rejects(
    verifyWebhook({ body, headers }, { secrets: ['whsec_'], nowMs: NOW.getTime() }),
    WebhookError,
  );
});

t.test('signed addresses of pictures equal those of the service', async (t) => {
  const picture = fc.record(
    {
      data: fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
      width: fc.integer({ min: 50, max: 2000 }),
      expires: fc.integer({ min: 0, max: 4_000_000_000 }),
    },
    { requiredKeys: ['data'] },
  );
  await fc.assert(
    fc.asyncProperty(picture, fc.constantFrom('png', 'svg'), fc.uuid(), async (asked, format, text) => {
      const secret = { id: ID, secret: `tss_${text}` };
      const address = await signPicture(asked, { url: 'https://example.com/codes/', secret, format });
      t.equal(address, `https://example.com/codes${signPath(secret, asked, format)}`);
    }),
  );
});
