/** Keys that replace other ones. */
import t from 'tap';
import { signPath } from '../../../../../src/signed/address.ts';
import { until } from '../../../../servers/until.ts';
import { sharedApp } from '../../../../support/app/app.ts';
import { clientOf, newClient, RANDOM_ID } from '../../../../support/app/client.ts';
import { signIn, withCookie } from '../../../../support/app/session.ts';

const gateway = await sharedApp();
const { admin, call } = gateway;
const HOUR_MS = 3_600_000;
/** Later than a slow machine needs to send it. */
const soon = (): string => new Date(Date.now() + 3000).toISOString();
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

type Client = Awaited<ReturnType<typeof newClient>>;

const make = async ({ post }: Pick<Client, 'post'>, wanted: object = {}) => {
  const { status, json } = await post('/keys', { name: 'made', ...wanted });
  t.equal(status, 201);
  return { ...clientOf(gateway, json.key), id: json.id as string, json };
};
const rotate = async ({ post }: Pick<Client, 'post'>, id: string, wanted: object = {}) => {
  const { status, json } = await post(`/keys/${id}/rotate`, wanted);
  t.equal(status, 201);
  return { ...clientOf(gateway, json.key), id: json.id as string, json };
};
const draw = async (by: Pick<Client, 'post'>) => (await by.post('/qr', { data: 'x' })).status;
const listed = async ({ get }: Pick<Client, 'get'>) =>
  new Map((await get('/keys')).json.data.map((row) => [row.id as string, row]));

t.test('the new key has the name, scopes and limits of the old one, and both work meanwhile', async (t) => {
  const owner = await newClient(gateway);
  const bounds = { rate_limit_per_second: 40, monthly_quota: 9, expires_at: inHours(500) };
  const old = await make(owner, { name: 'mails', scopes: ['generate'], ...bounds });
  const rotated = await rotate(owner, old.id);
  t.match(rotated.json, { name: 'mails', scopes: ['generate'], ...bounds, made_by: owner.keyId });
  t.match(rotated.json, { key: /^tsr_/, replaced_by: null });
  t.strictSame([await draw(old), await draw(rotated)], [200, 200]);
  const keys = await listed(owner);
  t.equal(keys.get(old.id)!.replaced_by, rotated.id);
  const keptMs = Date.parse(String(keys.get(old.id)!.expires_at)) - Date.now();
  t.ok(Math.abs(keptMs - 24 * HOUR_MS) < 0.5 * HOUR_MS, 'a day unless the call says otherwise');
  t.match(keys.get(rotated.id), { replaced_by: null, expires_at: bounds.expires_at });
});

t.test('the old key stops when its time is over, and never later than it would have', async (t) => {
  const owner = await newClient(gateway);
  const old = await make(owner, { expires_at: inHours(2) });
  const rotated = await rotate(owner, old.id, { overlap_hours: 5, expires_at: null });
  const ofOld = (await listed(owner)).get(old.id)!.expires_at;
  t.strictSame([ofOld, rotated.json.expires_at], [old.json.expires_at, null]);
  const next = await rotate(owner, rotated.id, { overlap_hours: 0 });
  await until(async () => (await draw(rotated)) === 401);
  t.equal(await draw(next), 200);
  t.strictSame([...(await listed(owner)).keys()].includes(rotated.id), false, 'it is revoked');
});

t.test('an expired key can be replaced by one that says when it expires', async (t) => {
  const owner = await newClient(gateway);
  const old = await make(owner, { expires_at: soon() });
  await until(async () => (await draw(old)) === 401);
  t.match(await owner.post(`/keys/${old.id}/rotate`, {}), {
    status: 400,
    json: { details: /^expires_at: is required, because the key has expired/ },
  });
  const rotated = await rotate(owner, old.id, { expires_at: inHours(1) });
  t.equal(await draw(rotated), 200);
  t.equal(await draw(old), 401);
});

t.test('a key that replaces itself gets no further units, and can do so for ever', async (t) => {
  const owner = await newClient(gateway);
  let last = await make(owner, { monthly_quota: 3 });
  for (let times = 0; times < 12; times += 1) {
    const next = await rotate(last, last.id, { overlap_hours: times % 2 });
    t.match(await owner.patch(`/keys/${last.id}`, { expires_at: inHours(1) }), {
      status: times % 2 === 0 ? 404 : 200,
    });
    if (times < 3) t.equal(await draw(next), 200);
    if (times % 2 === 1) await owner.del(`/keys/${last.id}`);
    last = next;
  }
  t.equal(await draw(last), 429);
});

t.test('replaced keys whose time is over are revoked by the next rotation', async (t) => {
  const owner = await newClient(gateway);
  const [first, other] = [await make(owner), await make(owner)];
  await rotate(owner, first.id, { overlap_hours: 1 });
  for (const { id } of [first, other])
    t.equal((await owner.patch(`/keys/${id}`, { expires_at: soon() })).status, 200);
  await until(async () => (await draw(first)) === 401 && (await draw(other)) === 401);
  await rotate(owner, owner.keyId, { overlap_hours: 1 });
  const keys = await listed(owner);
  t.strictSame([keys.has(first.id), keys.has(other.id)], [false, true]);
});

t.test('what it uses still counts for the makers of the old one, and for the key that asks', async (t) => {
  const owner = await newClient(gateway);
  const maker = await make(owner, { monthly_quota: 2 });
  const old = await make(maker);
  const asker = await make(owner, { monthly_quota: 2 });
  const rotated = await rotate(asker, old.id);
  t.strictSame([await draw(rotated), await draw(maker), await draw(rotated)], [200, 200, 429]);
  t.strictSame([await draw(asker), await draw(asker)], [200, 429]);
});

t.test('signed pictures go on, charged to the new key', async (t) => {
  const owner = await newClient(gateway);
  const secret = (await owner.post('/signing-secrets')).json;
  const show = async (content: string) =>
    (await call({ url: signPath(secret, { data: content }, 'png') })).status;
  t.equal(await show('a'), 200);
  const rotated = await rotate(owner, owner.keyId, { overlap_hours: 0 });
  await until(async () => (await owner.get('/usage')).status === 401);
  t.equal(await show('b'), 200);
  t.match((await rotated.get('/signing-secrets')).json.data, [{ id: secret.id, key_id: rotated.id }]);
});

t.test('no key makes one that can do more than itself', async (t) => {
  const owner = await newClient(gateway);
  const rich = await make(owner);
  const manager = await make(owner, { scopes: ['manage'], expires_at: inHours(3) });
  t.match(await manager.post(`/keys/${rich.id}/rotate`, { expires_at: inHours(1) }), {
    status: 403,
    json: { details: /^scopes: your key lacks "generate" and "render"/ },
  });
  const brief = await make(owner, { expires_at: inHours(3) });
  t.match(await brief.post(`/keys/${rich.id}/rotate`, {}), {
    status: 400,
    json: { details: /^expires_at: must not be after/ },
  });
  const tester = (await admin('POST', `/accounts/${owner.id}/keys`, { name: 'load', load_tests: true })).json;
  t.match(await owner.post(`/keys/${tester.id}/rotate`, {}), {
    status: 403,
    json: { details: /^load_tests/ },
  });
});

t.test('only keys of the account are replaced, and only while there is room for one more', async (t) => {
  const [owner, theirs] = [await newClient(gateway), await newClient(gateway)];
  const gone = await make(owner);
  await owner.del(`/keys/${gone.id}`);
  for (const id of [theirs.keyId, gone.id, RANDOM_ID])
    t.equal((await owner.post(`/keys/${id}/rotate`, {})).status, 404, id);
  for (const body of [{ overlap_hours: -1 }, { overlap_hours: 9000 }, { overlap_hours: 1.5 }, { name: 'x' }])
    t.equal((await owner.post(`/keys/${owner.keyId}/rotate`, body)).status, 400, JSON.stringify(body));
  const sandbox = await make(owner, { sandbox: true });
  t.match((await rotate(owner, sandbox.id)).json, { sandbox: true, key: /^tsr_test_/ });
});

t.test('the operator replaces any key, which keeps its makers', async (t) => {
  const owner = await newClient(gateway);
  const maker = await make(owner, { monthly_quota: 1 });
  const old = await make(maker);
  const { status, json } = await admin('POST', `/keys/${old.id}/rotate`, { overlap_hours: 1 });
  t.match({ status, json }, { status: 201, json: { made_by: maker.id, name: 'made' } });
  const rotated = clientOf(gateway, json.key);
  t.strictSame([await draw(rotated), await draw(maker)], [200, 429]);
  t.equal((await admin('POST', `/keys/${RANDOM_ID}/rotate`, {})).status, 404);
});

t.test('a session names its key, and ends with it', async (t) => {
  const owner = await newClient(gateway);
  const browser = withCookie(gateway, await signIn(gateway, owner.key));
  t.equal((await browser('GET', '/dashboard/session')).json.key_id, owner.keyId);
  const { status, json } = await browser('POST', `/api/v1/keys/${owner.keyId}/rotate`, { overlap_hours: 1 });
  t.match({ status, json }, { status: 201, json: { made_by: owner.keyId } });
  t.equal((await browser('GET', '/api/v1/keys')).status, 200);
  await admin('DELETE', `/keys/${owner.keyId}`);
  await until(async () => (await browser('GET', '/api/v1/keys')).status === 401);
});
