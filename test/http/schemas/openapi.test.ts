/** The OpenAPI document: valid, complete and true; and the page that shows it. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import sharp from 'sharp';
import t from 'tap';
import { ERROR_CODES, errorTable } from '../../../src/errors.ts';
import { PictureOptions } from '../../../src/generate/request/picture-options.ts';
import { ROW_TYPES } from '../../../src/http/bodies/row-types.ts';
import { signPath } from '../../../src/signed/address.ts';
import { until } from '../../servers/until.ts';
import { ADMIN_TOKEN, type Call, startApp } from '../../support/app/app.ts';
import {
  createConformance,
  type OpenApi,
  type Operation,
  withoutRefs,
} from '../../support/app/conformance.ts';
import { routesOf } from '../../support/app/routes.ts';
import { SAME_ORIGIN, signIn } from '../../support/app/session.ts';

// The examples of webhooks are sent to this machine.
const { app, call, account } = await startApp(t, { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
const answer = await call({ url: '/openapi.json' });
const document = JSON.parse(answer.text) as OpenApi;
const listOperations = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
const operations = listOperations(withoutRefs(document));
const titleOf = ({ path, method }: { path: string; method: string }) => `${method} ${path}`;
const check = createConformance(app.gateway);

t.test('is valid OpenAPI 3.1', async (t) => {
  t.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  t.equal(document.openapi, '3.1.0');
  const result = await new Validator().validate(JSON.parse(answer.text));
  t.ok(result.valid, JSON.stringify(result));
});

t.test('passes the recommended rules of the Redocly linter without a warning', async (t) => {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: answer.text, config });
  // `/codes/{id}/…` has an id of ours there, a UUID.
  const isAmbiguous = ({ message }: { message: string }) =>
    /Found two ambiguous paths: .*codes\/by-external-id/.test(message);
  t.strictSame(
    found.filter((each) => !isAmbiguous(each)),
    [],
  );
});

/** What operations share is written once, except bodies and successes, which generators want in place. */
const MAX_BYTES_PER_OPERATION = 2300;

t.test('is smaller than 2,300 bytes per operation', async (t) => {
  const operations = listOperations(document).length + Object.keys(document.webhooks).length;
  t.comment(`${answer.bytes.length} bytes, ${operations} operations`);
  t.ok(answer.bytes.length < operations * MAX_BYTES_PER_OPERATION);
});

t.test('the first exact success of a call has the body of its answer, which generators take', async (t) => {
  for (const one of operations) {
    const successes = Object.entries(one.operation.responses).filter(([status]) => /^2\d\d$/.test(status));
    const [first] = successes;
    const hasBody = successes.some(([, { content }]) => content !== undefined);
    // The 201 of this one begins an upload, which generated clients do not do.
    if (hasBody && one.operation.operationId !== 'createBatch') t.ok(first![1].content, titleOf(one));
    for (const [status, { content = {} }] of successes)
      for (const [type, { schema }] of Object.entries(content))
        t.ok(schema, `${titleOf(one)}: ${status} ${type}`);
  }
});

t.test('has the version of the product', async (t) => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  t.equal(document.info.version, version);
});

t.test('names every call, body and repeated schema', async (t) => {
  const written = listOperations(document);
  const ids = written.map(({ operation }) => operation.operationId);
  const faults: string[] = [];
  const expect = (holds: boolean, what: string): void => void (holds || faults.push(what));
  for (const { path, method, operation } of written) {
    const title = titleOf({ path, method });
    const { operationId = '', requestBody, responses } = operation;
    expect(
      /^[a-z]+([A-Z][a-z]*)*$/.test(operationId),
      `${title} has no operationId: add one to its schema, beside the summary: a verb and a noun like listFolders`,
    );
    expect(
      ids.filter((id) => id === operationId).length === 1,
      `another call has the operationId of ${title}`,
    );
    const bodies = Object.values({ ...responses, request: requestBody }).flatMap((message) =>
      Object.entries(message?.content ?? {}),
    );
    for (const [type, { schema = {} }] of bodies) {
      const isNamed = type !== 'application/json' || '$ref' in schema || path === '/openapi.json';
      expect(isNamed, `${title} has a JSON body without a name: give it a title: ${JSON.stringify(schema)}`);
      expect(Object.keys(schema).length > 0, `${title} does not say what its ${type} is`);
    }
  }

  const objects = new Map<string, number>();
  const count = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'object' && 'properties' in node) {
      const text = JSON.stringify(node);
      objects.set(text, (objects.get(text) ?? 0) + 1);
    }
    Object.values(node).forEach(count);
  };
  count(document);
  for (const [text, times] of objects)
    expect(times === 1, `stands ${times} times: give this schema a title, so that it is named once: ${text}`);
  t.ok(written.length > 100 && objects.size > 100, `${written.length} calls, ${objects.size} objects`);
  t.strictSame(faults, []);
});

t.test('requires bodies, in place, except where a call may have none', async (t) => {
  const bodies = listOperations(document).flatMap(({ operation: { operationId, requestBody } }) =>
    requestBody === undefined ? [] : [{ operationId, ...requestBody }],
  );
  t.ok(bodies.length > 40);
  const isInPlace = (body: object) => !('$ref' in body) && 'content' in body;
  t.strictSame(
    bodies.filter((body) => !isInPlace(body)),
    [],
  );
  const optional = bodies.filter(({ required }) => required !== true).map(({ operationId }) => operationId);
  t.strictSame(optional.sort(), ['appendToUpload', 'createBatch']);
});

t.test('lists the codes of all errors', async (t) => {
  const { error } = (document.components as unknown as Schemas).schemas.Error!.properties!;
  t.strictSame(
    error!.enum!.map((text, i) => ({ error: text, code: error!['x-enum-varnames']![i] })),
    errorTable().map(({ error, code }) => ({ error, code })),
  );
  t.equal(new Set(error!.enum).size, ERROR_CODES.length, 'each text has one code');
});

interface Schemas {
  readonly schemas: Readonly<Record<string, Schema>>;
}

interface Schema {
  readonly enum?: readonly string[];
  readonly 'x-enum-varnames'?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

t.test('fields with a default are optional, and their description states the default', async (t) => {
  const { schemas } = document.components as unknown as Schemas;
  const faults: string[] = [];
  let described = 0;
  for (const [name, { properties = {}, required = [] }] of Object.entries(schemas))
    for (const [field, schema] of Object.entries(properties)) {
      if ('default' in schema) faults.push(`${name}.${field} does not say its default in words`);
      if (!/Default: /.test(JSON.stringify(schema))) continue;
      described += 1;
      if (required.includes(field)) faults.push(`${name}.${field} is required`);
    }
  t.ok(described > 15);
  t.strictSame(faults, []);
});

/** A parameter, or a schema with fields. */
interface Named {
  readonly name?: string;
  readonly in?: string;
  readonly properties?: object;
}

/** Returns the names of all fields, query parameters and inner fields of a part of the document or of a schema. */
const namesIn = (node: unknown): readonly string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const { name = '', in: place, properties = {} } = node as Named;
  const inner = Object.entries(node).filter(([key]) => key !== 'properties' && !/^examples?$/.test(key));
  return [
    ...(place === 'query' ? [name] : []),
    ...Object.keys(properties),
    ...[...inner.map(([, value]) => value), ...Object.values(properties)].flatMap(namesIn),
  ];
};

t.test(
  'one thing has one name, in snake case; only designs and bulk calls have others, as specified',
  async (t) => {
    const { schemas } = document.components as unknown as Schemas;
    const names = namesIn(document);
    const isAllowed = new Set(['folderId', 'folderName', ...namesIn(PictureOptions)]);
    t.ok(names.includes('external_id') && names.includes('folder_name') && names.includes('crop_marks'));
    t.strictSame(
      names.filter((name) => !/^[a-z\d]+(_[a-z\d]+)*$/.test(name) && !isAllowed.has(name)),
      [],
    );
    const fieldsOf = (name: string) => Object.keys(schemas[name]!.properties!);
    const ofBatch = operations.find(({ operation }) => operation.operationId === 'createBatch')!.operation;
    const batchNames = [...fieldsOf('BatchRow'), ...namesIn(ofBatch.parameters)];
    t.strictSame(
      fieldsOf('CodeRequest').filter((field) => !batchNames.includes(field)),
      ['external_id_unique'],
      'what a call for one code says, a row or the query of a batch says too',
    );
  },
);

t.test('describes the rows of a batch', async (t) => {
  const { content } = operations.find(({ operation }) => operation.operationId === 'createBatch')!.operation
    .requestBody!;
  const types = [...ROW_TYPES.keys(), 'multipart/form-data'];
  t.strictSame(Object.keys(content).sort(), types.sort());
  t.match(content['application/x-ndjson']!.schema, {
    type: 'string',
    contentSchema: { properties: { data: {}, gtin: {} } },
  });
  t.match(content['multipart/form-data']!.schema, {
    required: ['rows'],
    properties: { design: {}, rows: {} },
  });
  for (const type of types) t.match(content[type]!.schema, { type: /string|object/ }, type);
});

t.test(
  'describes every route except the pages of the documentation and the dashboard, and the packages of clients',
  async (t) => {
    const pages =
      / \/docs(\/|$)| \/clients(\/|$)| \/dashboard(\/assets\/\*|\/?\*|$)| \/l\/\{slug\}\*|POST \/l\/| \/$/;
    // HEAD routes are left out: they answer as GET does.
    const served = (await routesOf(app.gateway))
      .map((route) => route.replace(/:(\w+)/g, '{$1}'))
      .filter((route) => !pages.test(route) && !route.startsWith('HEAD '));
    t.ok(served.length > 25);
    t.strictSame(served.sort(), operations.map(titleOf).sort());
  },
);

const isOfAccount = (scheme: string): boolean => scheme !== 'adminToken' && scheme !== 'operator';

t.test('says for every call what it does, who may make it and how it fails', async (t) => {
  const tags = new Set(document.tags.map(({ name }) => name));
  const schemes = Object.keys(document.components.securitySchemes);
  const faults: string[] = [];
  for (const { path, method, operation } of operations) {
    const expect = (holds: boolean, what: string): void =>
      void (holds || faults.push(`${titleOf({ path, method })} ${what}`));
    expect(operation.summary !== undefined, 'has a summary');
    const scopes = new Set(operation.security?.flatMap((scheme) => Object.values(scheme).flat()));
    const { description = '' } = operation;
    expect(description.length > 20 && description.endsWith('.'), 'has a description');
    for (const scope of scopes) expect(description.includes(`\`${scope}\``), `names the scope ${scope}`);
    expect(operation.tags?.length === 1 && tags.has(operation.tags[0]!), 'has a tag');
    const asked = operation.security?.flatMap((scheme) => Object.keys(scheme)) ?? [];
    // Pictures that pages embed are not calls of the dashboard.
    if (asked.includes('apiKey') && !asked.includes('queryKey'))
      expect(asked.includes('session'), 'takes a session too');
    expect(
      asked.every((name) => schemes.includes(name)),
      'names known schemes',
    );
    const failures = Object.keys(operation.responses);
    // The HTTP parser refuses requests before there is a route.
    const expected = ['400', '431', '500'];
    if (asked.some(isOfAccount)) expected.push('403', '429', '503');
    const isOptional = operation.security?.some((scheme) => Object.keys(scheme).length === 0);
    if (asked.length > 0 && !isOptional) expected.push('401');
    if (asked.includes('operator') && method !== 'GET') expected.push('403');
    if (operation.requestBody !== undefined) expected.push('400', '413', '415');
    if (path.includes('{')) expected.push('404');
    expect(
      failures.some((status) => status.startsWith('4')),
      'says what the caller may do wrong',
    );
    for (const status of expected) expect(failures.includes(status), `names ${status}`);
    for (const [status, { description, headers = {} }] of Object.entries(operation.responses)) {
      expect(description !== '', `describes ${status}`);
      expect('X-Request-Id' in headers, `has the id of the request at ${status}`);
    }
    const found = operation.responses['200']?.headers ?? {};
    const isLimited = asked.some(isOfAccount) && '200' in operation.responses;
    expect('RateLimit' in found === isLimited, 'says its rate limit');
  }
  t.strictSame(faults, [], 'each statement holds for every call');
});

/** Bodies of sign-ins, which need secrets. */
const SIGN_IN_BODIES = new Map<string, (things: { readonly key: string }) => object>([
  ['/dashboard/session', ({ key }) => ({ key })],
  ['/dashboard/operator/session', () => ({ token: ADMIN_TOKEN })],
]);

/** The body of a batch is not JSON, so the document has no example of it. */
const TABLE = { body: 'data\na\n', headers: { 'content-type': 'text/csv' } };
const ROWS = { body: '{"data":"a"}\n', headers: { 'content-type': 'application/x-ndjson' } };
const ITEMS = { ...TABLE, body: 'key,rel,href,title\n(00)095213210000000018,gs1:pip,https://a.example/,A\n' };
/** Nor of a picture of prints. */
const blank = sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } });
const SCAN = { body: await blank.png().toBuffer(), headers: { 'content-type': 'image/png' } };
/** Nor of a chunk of an upload. */
const CHUNK = {
  body: ROWS.body,
  headers: { 'content-type': 'application/partial-upload', 'upload-offset': '0', 'upload-complete': '?1' },
};

t.test('has an example for every JSON body, and every call works as shown', async (t) => {
  const makeAccount = async () => {
    const { id, key, keyId } = await account({ credits: 1000 });
    const { json } = await call({
      method: 'POST',
      url: '/api/v1/qr/bulk',
      key,
      body: { folderName: 'Examples', items: [{ data: 'https://example.com/', dynamic: true }] },
    });
    const folderId = json.meta.folder_id;
    const own = { data: 'https://example.com/', dynamic: true, external_id: 'own' };
    await call({ method: 'POST', url: '/api/v1/codes', key, body: own });
    const codes = await call({ url: `/api/v1/folders/${folderId}/codes`, key });
    const secret = (await call({ method: 'POST', url: '/api/v1/signing-secrets', key })).json;
    return {
      account: id,
      key,
      keyId,
      secret: secret.id,
      signed: signPath(secret, { data: 'a' }, 'png'),
      folder: folderId,
      code: codes.json.data[0]!.id,
      slug: json.results[0]!.slug,
    };
  };
  const fixture = async (path: string, owner: Awaited<ReturnType<typeof makeAccount>>) => {
    const { key, folder, code, slug } = owner;
    const verify = async () => {
      const ofCodes = path.startsWith('/api/v1/code-');
      const url = ofCodes ? '/api/v1/code-verifications' : `/api/v1/folders/${folder}/verifications`;
      const body = ofCodes ? { body: { ids: [code] } } : {};
      const begun = await call({ method: 'POST', url, key, ...body });
      await until(async () => (await call({ url: `${url}/${begun.json.id}`, key })).json.state === 'done');
      return begun.json.id;
    };
    const beginUpload = async () => {
      const headers = { ...ROWS.headers, 'upload-complete': '?0' };
      const begun = await call({ method: 'POST', url: '/api/v1/batches', key, headers });
      return String(begun.headers.location).split('/').at(-1)!;
    };
    const makeBatch = async () => {
      const begun = await call({ method: 'POST', url: '/api/v1/batches', key, ...ROWS });
      const url = `/api/v1/batches/${begun.json.id}`;
      await until(async () => (await call({ url, key })).json.state === 'done');
      return begun.json.id;
    };
    const makeWebhook = async () => {
      const body = { url: 'http://127.0.0.1:9/', events: [] };
      const { id } = (await call({ method: 'POST', url: '/api/v1/webhooks', key, body })).json;
      const test = await call({ method: 'POST', url: `/api/v1/webhooks/${id}/test`, key });
      const secrets = `/api/v1/webhooks/${id}/secrets`;
      // The only secret cannot be deleted.
      if (path.endsWith('/secrets/{secret}')) await call({ method: 'POST', url: secrets, key });
      const [webhookSecret] = (await call({ url: secrets, key })).json.data;
      return { webhook: id, delivery: test.json.id, secret: webhookSecret!.id };
    };
    const makeCounter = async () => {
      const url = `/api/v1/counters/${randomUUID()}`;
      return String((await call({ method: 'PUT', url, key, body: { next: 1 } })).json.name);
    };
    const makePreset = async () => {
      const body = { name: randomUUID(), options: {} };
      return (await call({ method: 'POST', url: '/api/v1/presets', key, body })).json.id;
    };
    const makeProfile = async () => {
      const body = { name: randomUUID(), options: {} };
      return (await call({ method: 'POST', url: '/api/v1/print-profiles', key, body })).json.id;
    };
    const makeRuleSet = async () => {
      const rule = { name: 'first', when: { visit: 'first' }, destination: 'https://example.com/' };
      const body = { name: randomUUID(), rules: [rule] };
      return (await call({ method: 'POST', url: '/api/v1/rule-sets', key, body })).json.id;
    };
    const makeDomain = async () => {
      const body = { host: `${randomUUID()}.example` };
      return (await call({ method: 'POST', url: '/api/v1/domains', key, body })).json.host;
    };
    const makeItem = async () => {
      const url = '/api/v1/resolver/items';
      const link = { rel: 'gs1:pip', href: 'https://a.example/', title: 'A' };
      const item = { key: `(8004)9521321${randomUUID()}`.slice(0, 30), links: [link] };
      const { json: made } = await call({ method: 'POST', url, key, body: item });
      const body = { ids: [made.id], change: { set: [{ ...link, title: 'B' }] } };
      const { json: changed } = await call({ method: 'PATCH', url, key, body });
      return { item: made.id, itemsChange: changed.change_id ?? '' };
    };
    const changeLinks = async () => {
      const body = { slugs: [slug], change: { destination: 'https://example.com/changed' } };
      return (await call({ method: 'PATCH', url: '/api/v1/links', key, body })).json.change_id ?? '';
    };
    const runLinkJob = async () => {
      const body = `${JSON.stringify({ slug, destination: `https://example.com/${randomUUID()}` })}\n`;
      const begun = await call({ method: 'POST', url: '/api/v1/link-jobs', key, ...ROWS, body });
      const url = `/api/v1/link-jobs/${begun.json.id}`;
      await until(async () => (await call({ url, key })).json.state === 'done');
      return begun.json.id;
    };
    return {
      ...owner,
      ...(path.startsWith('/api/v1/resolver/') ? await makeItem() : { item: '', itemsChange: '' }),
      linksChange: path.includes('/links/changes/') ? await changeLinks() : '',
      verification: path.includes('{vid}') ? await verify() : '',
      batch: path.startsWith('/api/v1/batches/{') ? await makeBatch() : '',
      linkJob: path.startsWith('/api/v1/link-jobs/') ? await runLinkJob() : '',
      preset: path.startsWith('/api/v1/presets/') ? await makePreset() : '',
      profile: path.startsWith('/api/v1/print-profiles/') ? await makeProfile() : '',
      ruleSet: path.startsWith('/api/v1/rule-sets/') ? await makeRuleSet() : '',
      domain: path.startsWith('/api/v1/domains/') ? await makeDomain() : '',
      counter: path.startsWith('/api/v1/counters/') ? await makeCounter() : '',
      upload: path.includes('-uploads/') ? await beginUpload() : '',
      ...(path.startsWith('/api/v1/webhooks/') ? await makeWebhook() : { webhook: '', delivery: '' }),
    };
  };
  type Fixture = Awaited<ReturnType<typeof fixture>>;

  const idFor = (collection: string, things: Fixture): string => {
    const ids: Readonly<Record<string, string>> = {
      accounts: things.account,
      keys: things.keyId,
      secrets: things.secret,
      folders: things.folder,
      codes: things.code,
      links: things.slug,
      changes: things.itemsChange || things.linksChange,
      items: things.item,
      l: things.slug,
      verifications: things.verification,
      batches: things.batch,
      uploads: things.upload,
      jobs: things.linkJob,
      presets: things.preset,
      profiles: things.profile,
      sets: things.ruleSet,
      domains: things.domain,
      counters: things.counter,
      webhooks: things.webhook,
      deliveries: things.delivery,
      parts: '1',
      id: 'own',
    };
    const id = ids[collection];
    if (id === undefined)
      throw new Error(`a path takes an id of ${collection}, which this test does not know`);
    return id;
  };

  const queryOf = ({ parameters = [], security = [] }: Operation, things: Fixture): string => {
    const query = new URLSearchParams();
    for (const { name, in: place, required, example } of parameters) {
      if (place !== 'query' || (example === undefined && !required)) continue;
      t.not(example, undefined, `${name} has an example`);
      // Only hosts of the service and of its accounts have certificates.
      query.set(name, name === 'domain' ? 'qr.test' : String(example));
    }
    if (security.some((scheme) => 'queryKey' in scheme)) query.set('key', things.key);
    return query.size === 0 ? '' : `?${query}`;
  };

  /** The example of a body, with the ids of existing codes and folders. */
  const bodyOf = (path: string, example: object, things: Fixture): object => ({
    ...(SIGN_IN_BODIES.get(path)?.(things) ?? example),
    ...('ids' in example && { ids: [things.code] }),
    ...('folder_id' in example && { folder_id: things.folder }),
  });

  let owner = await makeAccount();
  const failed: string[] = [];
  for (const { path, method, operation } of operations) {
    const things = await fixture(path, owner);
    const isAdmin = operation.security?.some((scheme) => 'adminToken' in scheme);
    const needsKey = operation.security?.some((scheme) => 'apiKey' in scheme);
    const needsSession = operation.security?.some((scheme) => 'session' in scheme) && !needsKey;
    const media = operation.requestBody?.content['application/json'];
    if (media !== undefined && media.example === undefined) failed.push(`${method} ${path} has no example`);
    const isOfManyItems = path === '/api/v1/resolver/items' && method === 'PATCH';
    const isOfManyLinks = path === '/api/v1/links' && method === 'PATCH';
    const headers: Record<string, string> = path.startsWith('/dashboard/') ? { ...SAME_ORIGIN } : {};
    if (needsSession) headers.cookie = await signIn({ call }, things.key);
    const { status, text } = await call({
      method: method as NonNullable<Call['method']>,
      url:
        path
          .replace('/i/{signature}/{picture}', things.signed)
          .replace(/(\w+)\/\{\w+\}/g, (_, collection) => `${collection}/${idFor(collection, things)}`) +
        queryOf(operation, things),
      ...(isAdmin ? { key: ADMIN_TOKEN } : needsKey ? { key: things.key } : {}),
      ...(media === undefined
        ? {}
        : {
            body: {
              ...bodyOf(path, Object(media.example), things),
              ...(isOfManyLinks ? { slugs: [things.slug] } : {}),
              ...(isOfManyItems ? { key: undefined, ids: [things.item] } : {}),
            },
          }),
      headers,
      ...(['/api/v1/batches', '/api/v1/link-jobs', '/api/v1/links/imports'].includes(path) &&
      method === 'POST'
        ? ROWS
        : {}),
      ...(path === '/api/v1/batches/preview' ? TABLE : {}),
      ...(path === '/api/v1/resolver/items/import' ? ITEMS : {}),
      ...(path.endsWith('/scan-check') ? SCAN : {}),
      ...(path.includes('-uploads/') && method === 'PATCH' ? CHUNK : {}),
    });
    if (status < 200 || status >= 400)
      failed.push(`${method} ${path} answers ${status} ${text.slice(0, 200)}`);
    // Only deletions change what the account has for the next calls.
    if (method === 'DELETE') owner = await makeAccount();
  }
  t.strictSame(failed, []);
});

t.test('the check that tests use finds answers that differ from the document', async (t) => {
  const usage = {
    method: 'GET',
    url: '/api/v1/usage?x=y',
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a', etag: 'W/"a"' },
    text: '{}',
  };
  const key = (await account()).key;
  const { json } = await call({ url: '/api/v1/usage', key });
  check({ ...usage, json });
  t.throws(() => check({ ...usage, json: { ...json, credits: '7' } }), /credits must be integer/);
  t.throws(() => check({ ...usage, json: {} }), /required property/);
  t.throws(() => check({ ...usage, json, status: 201 }), /status is not documented/);
  t.throws(() => check({ ...usage, json, status: 500 }), /may cause an internal error/);
  const asHtml = { ...usage.headers, 'content-type': 'text/html' };
  t.throws(() => check({ ...usage, json, headers: asHtml }), /media type text\/html is not documented/);
  const nameless = { ...usage.headers, 'x-request-id': undefined };
  t.throws(() => check({ ...usage, json, headers: nameless }), /header X-Request-Id is missing/);
  const busy = { ...usage, status: 503, json: { error: 'Service unavailable', details: 'b' } };
  t.throws(() => check(busy), /header Retry-After is missing/);
  t.throws(
    () => check({ ...busy, headers: { ...usage.headers, 'retry-after': 'soon' } }),
    /header Retry-After is soon/,
  );
  check({ ...busy, headers: { ...usage.headers, 'retry-after': '2' } });
  t.throws(() => check({ ...usage, json, url: '/api/v1/secret' }), /no such operation/);
  t.throws(() => check({ ...usage, json, method: 'PATCH' }), /no such operation/);
  check({ ...usage, json, url: '/api/v1/secret', status: 404 });
});

t.test('documents the answer to oversized header fields', async (t) => {
  await app.gateway.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.gateway.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET /healthz HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
  const parts: string[] = [];
  for await (const part of socket.setEncoding('latin1')) parts.push(String(part));
  const [head = '', text = ''] = parts.join('').split('\r\n\r\n');
  const status = Number(head.split(' ', 2)[1]);
  t.equal(status, 431);
  const fieldOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
  const names = ['content-type', 'x-request-id'];
  const headers = Object.fromEntries(names.map((name) => [name, fieldOf(name)]));
  check({ method: 'GET', url: '/healthz', status, headers, text, json: JSON.parse(text) });
});

t.test('names the path prefix of a proxy', async (t) => {
  const { call } = await startApp(t, { PUBLIC_URL: 'https://example.com/codes' });
  const { servers, ...others } = JSON.parse((await call({ url: '/openapi.json' })).text) as OpenApi;
  t.match([servers, document.servers], [[{ url: '/codes' }], [{ url: '/' }]]);
  t.strictSame({ ...others, servers: document.servers }, document, 'and is otherwise the same');
  t.match((await call({ url: '/docs' })).text, 'src="/codes/docs/static/swagger-ui-bundle.js"');
});

t.test('/docs loads nothing from other hosts', async (t) => {
  for (const url of ['/docs', '/docs/']) {
    const page = await call({ url });
    t.equal(page.status, 200);
    t.match(page.headers['content-type'], /^text\/html/);
    const policy = String(page.headers['content-security-policy']);
    t.match(policy, /default-src 'none'; script-src 'self'; .*connect-src 'self';.*frame-ancestors 'none'/);
    t.notMatch(policy, /script-src[^;]*unsafe|https?:/);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    t.ok(parts.length >= 5);
    for (const part of parts) {
      t.notMatch(part, /^(https?:)?\/\//);
      const file = new URL(part, `http://qr.test${url}`).pathname;
      t.equal((await call({ url: file })).status, 200, file);
    }
    t.notMatch(page.text, /<script>|<style|\son\w+=/i, 'nothing that its security policy would block');
  }
  t.strictSame((await call({ url: '/docs/json' })).json, document);
  t.match((await call({ url: '/docs/static/swagger-initializer.js' })).text, /validatorUrl: null/);
});
