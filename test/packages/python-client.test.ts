/** What the generated modules of the Python client contain. */
import fc from 'fast-check';
import t from 'tap';
import type { Document } from '../../clients/generate/openapi.ts';
import { callsOf } from '../../clients/generate/python/calls.ts';
import { writeModules } from '../../clients/generate/python/modules.ts';
import { toSnake } from '../../clients/generate/python/text.ts';
import { writeTypes } from '../../clients/generate/python/types.ts';
import { makeDocument } from '../../src/http/schemas/openapi/make-document.mjs';
import { sharedApp } from '../support/app/app.ts';

const { call } = await sharedApp();
const served = (await call({ url: '/openapi.json' })).json as unknown as Document;

t.test('the generator reads the document that a gateway serves', async (t) => {
  t.strictSame(JSON.parse(JSON.stringify(await makeDocument())), served);
});

t.test('it has a method for every call, and an iterator for every paginated list', async (t) => {
  const { '_operations.py': text = '' } = writeModules(served);
  const methods = [...text.matchAll(/^ {4}def (\w+)\(/gm)].map(([, name]) => name);
  const calls = callsOf(served);
  t.ok(calls.length > 80);
  for (const { operation } of calls)
    t.ok(methods.includes(toSnake(operation.operationId)), operation.operationId);
  // A page of single scans is a file whose headers name the next page.
  const inPages = calls.filter(
    ({ operation, parameters }) =>
      parameters.some(({ name }) => name === 'cursor') && operation.operationId !== 'listRawScans',
  );
  for (const { operation, parameters } of inPages)
    t.ok(
      methods.includes(toSnake(operation.operationId).replace('list_', 'iterate_')),
      `${operation.operationId} ${parameters.length}`,
    );
  t.equal(new Set(methods).size, methods.length, 'names are unique');
});

const typeLines = (schemas: Document['components']['schemas'], more: Partial<Document> = {}): string =>
  writeTypes({ info: { version: '1.0.0' }, paths: {}, ...more, components: { schemas } });

t.test('Python types match their schemas', async (t) => {
  const field = (schema: object): string => {
    const text = typeLines({
      A: { type: 'object', required: ['f'], properties: { f: schema } },
      B: { enum: ['x'] },
    });
    return /^ {4}f: (.+)$/m.exec(text)![1]!;
  };
  for (const [schema, type] of [
    [{ type: 'string' }, 'str'],
    [{ type: ['integer', 'null'] }, 'Optional[int]'],
    [{ enum: ['a', 1, true, null] }, 'Literal["a", 1, True, None]'],
    [{ const: 'a' }, 'Literal["a"]'],
    [{ type: 'array', items: { type: 'number' } }, 'list[float]'],
    [{ anyOf: [{ type: 'string' }, { type: 'string', format: 'date' }] }, 'str'],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }, { type: 'boolean' }] }, 'Optional[Union[str, bool]]'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'dict[str, int]'],
    [{ type: 'object' }, 'dict[str, Any]'],
    [{}, 'Any'],
    [{ $ref: '#/components/schemas/B' }, 'Literal["x"]'],
    [{ type: 'object', properties: { g: {} } }, 'AF'],
    [{ allOf: [{ type: 'object', properties: { g: {} } }, { properties: { h: {} } }] }, 'AF'],
  ] as const)
    t.equal(field(schema), type, JSON.stringify(schema));
});

t.test('optional fields and fields named like Python keywords get valid types', async (t) => {
  const properties = { a: { type: 'string' }, b: { type: 'string' } };
  const text = typeLines({
    Both: { type: 'object', required: ['a'], properties },
    Odd: {
      type: 'object',
      required: ['from'],
      properties: { from: { type: 'string' }, a: { type: 'string' } },
    },
  });
  t.match(text, 'class _BothRequired(TypedDict):\n    a: str\n');
  t.match(text, 'class Both(_BothRequired, total=False):\n    b: str\n');
  t.match(text, '        "from": "str",\n    },\n)');
  t.match(text, '        "a": "str",\n    },\n    total=False,\n)');
  t.match(text, 'class Odd(_OddRequired, _OddOptional):\n    pass\n');
});

t.test('an unnamed record never gets the name of another one', async (t) => {
  const inner = (field: string) => ({ type: 'object', properties: { [field]: { type: 'string' } } });
  const text = typeLines({
    Link: { type: 'object', required: ['scans'], properties: { scans: inner('own') } },
    LinkScans: inner('other'),
  });
  t.match(text, 'class LinkScansPart(TypedDict, total=False):\n    own: str\n');
  t.match(text, 'class LinkScans(TypedDict, total=False):\n    other: str\n');
  t.match(text, '    scans: LinkScansPart\n');
  const twice = { A: { type: 'object', properties: { b_c: inner('one') } } };
  const again = { Ab: inner('x'), AB: { type: 'object', properties: { c: inner('two') } } };
  t.throws(() => typeLines({ ...twice, ...again }), /two records that differ are called ABC/);
});

t.test('events of webhooks have types once the document describes them', async (t) => {
  t.match(typeLines({}), 'WebhookEvent = dict[str, Any]');
  const schema = { $ref: '#/components/schemas/Done' };
  const done = { requestBody: { content: { 'application/json': { schema } } } };
  const schemas = {
    Done: { type: 'object', required: ['type'], properties: { type: { const: 'batch.done' } } },
  };
  t.match(typeLines(schemas, { webhooks: { 'batch.done': { post: done } } }), 'WebhookEvent = Done\n');
});

t.test('every name is converted to a valid Python name that stays recognisable', async (t) => {
  t.equal(toSnake('createCode'), 'create_code');
  t.equal(toSnake('tessera-min-grade'), 'tessera_min_grade');
  t.equal(toSnake('from'), 'from_');
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]+([A-Z][a-z]+|-[a-z]+){0,4}$/), (name) => {
      const snake = toSnake(name);
      t.match(snake, /^[a-z]+(_[a-z]+)*_?$/);
      t.equal(snake.replaceAll('_', ''), name.replaceAll('-', '').toLowerCase());
    }),
  );
});
