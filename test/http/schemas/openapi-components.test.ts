/** Repeated parts of the OpenAPI document become components. */
import t from 'tap';
import { nameComponents } from '../../../src/http/schemas/openapi/components.ts';

const folder = { type: 'object', title: 'Folder', properties: { title: { type: 'string' } } };
const json = (schema: object) => ({ 'application/json': { schema } });
const failure = { description: 'Nothing.', content: json({ type: 'object', title: 'Error' }) };

const documentOf = (...responses: readonly object[]) => ({
  info: { title: 'Tessera' },
  components: { securitySchemes: {} },
  paths: Object.fromEntries(responses.map((inner, i) => [`/${i}`, { get: { responses: inner } }])),
});

const answers = (document: object) =>
  Object.values((document as ReturnType<typeof documentOf>).paths).map(({ get }) => get.responses as never);

const componentsOf = (document: object) => (document as { components: Record<string, object> }).components;

t.test('a schema with a title appears once, under that name', async (t) => {
  const list = { type: 'object', title: 'Folders', properties: { data: { type: 'array', items: folder } } };
  const named = nameComponents(
    documentOf(
      { 200: { description: 'One.', content: json(folder) } },
      { 200: { description: 'All.', content: json(list) } },
    ),
  );
  t.match(answers(named), [
    { 200: { content: json({ $ref: '#/components/schemas/Folder' }) } },
    { 200: { content: json({ $ref: '#/components/schemas/Folders' }) } },
  ]);
  t.strictSame(componentsOf(named).schemas, {
    Folder: { type: 'object', properties: { title: { type: 'string' } } },
    Folders: {
      type: 'object',
      properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Folder' } } },
    },
  });
  t.strictSame(componentsOf(named).securitySchemes, {});
  t.strictSame(named.info, { title: 'Tessera' });
});

t.test('a title in an example is left alone', async (t) => {
  const media = { schema: { type: 'object' }, example: { title: 'A book' } };
  const [response] = answers(
    nameComponents(documentOf({ 200: { description: '', content: { 'application/json': media } } })),
  );
  t.match(response, { 200: { content: { 'application/json': media } } });
});

t.test('two different schemas cannot share a title', async (t) => {
  const other = { ...folder, properties: {} };
  const document = documentOf(
    { 200: { description: '', content: json(folder) } },
    { 200: { description: '', content: json(other) } },
  );
  t.throws(() => nameComponents(document), /two schemas that differ have the title "Folder"/);
});

t.test('equal failures become one component; a unique one stays in place', async (t) => {
  const page = { description: 'A page.', content: { 'text/html': {} } };
  const named = nameComponents(documentOf({ 404: failure }, { 404: failure }, { 404: page }));
  const ref = { $ref: '#/components/responses/404' };
  t.match(answers(named), [{ 404: ref }, { 404: ref }, { 404: page }]);
  t.match(componentsOf(named).responses, { 404: { description: 'Nothing.' } });
});

t.test('equal answers without a body become one component', async (t) => {
  const done = { description: 'Done.' };
  const named = nameComponents(documentOf({ 204: done }, { 204: done }, { 204: { description: 'Other.' } }));
  const ref = { $ref: '#/components/responses/204' };
  t.match(answers(named), [{ 204: ref }, { 204: ref }, { 204: { description: 'Other.' } }]);
});

t.test('a parameter of several operations becomes a component', async (t) => {
  const id = { in: 'path', name: 'id', required: true, schema: { type: 'string', title: 'Id' } };
  const limit = { in: 'query', name: 'limit', required: false, schema: { type: 'integer' } };
  const other = { ...limit, schema: { type: 'integer', maximum: 5 } };
  const get = (...parameters: object[]) => ({ get: { parameters, responses: {} } });
  const paths = { '/a': get(id, limit), '/b': get(id, limit), '/c': get(other), '/d': get(other) };
  const named = nameComponents({ paths });
  const short = { in: 'query', name: 'limit', schema: { type: 'integer' } };
  const unlike = { ...short, schema: other.schema };
  t.strictSame(componentsOf(named).parameters, {
    IdParameter: { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
    LimitParameter: short,
    'LimitParameter-2': unlike,
  });
  const refs = ['IdParameter', 'LimitParameter'].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const second = [{ $ref: '#/components/parameters/LimitParameter-2' }];
  t.strictSame(
    Object.values(named.paths).map((path) => path.get.parameters),
    [refs, refs, second, second],
    'the second one of a name gets a number',
  );
});

t.test(
  'successes and bodies of several operations stay in place, with references to their schemas',
  async (t) => {
    const content = { 'application/json': { schema: { type: 'object', title: 'Thing' } } };
    const put = {
      requestBody: { required: true, content },
      responses: { 201: { description: 'Made.', content } },
    };
    const named = nameComponents({ paths: { '/a': { put }, '/b': { put } } });
    const { put: written } = named.paths['/a'];
    const hoisted = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
    t.match(written, {
      requestBody: { required: true, content: hoisted },
      responses: { 201: { description: 'Made.', content: hoisted } },
    });
  },
);

t.test('headers depend on the status and the security of a response', async (t) => {
  const operation = {
    security: [{ apiKey: ['manage'] }],
    responses: {
      200: { description: 'Default Response', headers: { ETag: {} } },
      404: failure,
      429: failure,
      503: failure,
    },
  };
  const named = nameComponents({ paths: { '/': { get: operation } } });
  const { responses } = named.paths['/'].get;
  const namesOf = (response: object | undefined) =>
    Object.keys((response as { headers?: object }).headers ?? {}).join();
  t.equal(responses[200].description, 'OK.');
  t.equal(namesOf(responses[200]), 'X-Request-Id,RateLimit-Policy,RateLimit,ETag');
  t.equal(namesOf(responses[404]), 'X-Request-Id');
  t.equal(namesOf(responses[429]), 'X-Request-Id,RateLimit-Policy,RateLimit,Retry-After');
  t.equal(namesOf(responses[503]), 'X-Request-Id,Retry-After');
  const unknown = { responses: { 200: { description: '', headers: { 'X-Odd': {} } } } };
  t.throws(() => nameComponents({ paths: { '/': { get: unknown } } }), /header X-Odd is unknown/);
});

t.test('defaults move into the description; parameters and fields named default are kept', async (t) => {
  const schema = {
    type: 'object',
    properties: {
      shape: { enum: ['square', 'circle'], default: 'square' },
      eci: { type: 'boolean', default: false, description: 'Marks text.' },
      default: { type: 'string' },
    },
  };
  const parameter = { in: 'query', name: 'limit', schema: { type: 'integer', default: 20 } };
  const post = {
    parameters: [parameter],
    requestBody: { content: { 'application/json': { schema } } },
    responses: {},
  };
  const named = nameComponents({ paths: { '/a': { post } } });
  const { requestBody, parameters } = named.paths['/a'].post;
  t.strictSame(requestBody.content['application/json'].schema.properties, {
    shape: { enum: ['square', 'circle'], description: 'Default: `square`.' },
    eci: { type: 'boolean', description: 'Marks text. Default: false.' },
    default: { type: 'string' },
  });
  t.strictSame(parameters, [parameter]);
});
