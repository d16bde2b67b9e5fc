import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import t from 'tap';
import Type from 'typebox';
import { buildSerializers, createOnce } from '../../src/http/compile.ts';
import { orNull } from '../../src/stored-json.ts';

t.test('answers are serialized as Fastify does it, including null', async (t) => {
  const schema = Type.Object({
    text: orNull(Type.String({ description: 'With a description.' })),
    count: orNull(Type.Integer()),
    flag: orNull(Type.Boolean()),
    list: orNull(Type.Array(orNull(Type.String()))),
    record: orNull(Type.Object({ inner: orNull(Type.String()) })),
    either: Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: orNull(Type.String()) })]),
  });
  const part = { schema: JSON.parse(JSON.stringify(schema)), method: 'GET', url: '/', httpStatus: '200' };
  const [own, usual] = [buildSerializers(createOnce().once), SerializerSelector()].map((build) =>
    build({}, {})(part),
  );
  for (const value of [
    { text: null, count: null, flag: null, list: null, record: null, either: { b: null } },
    { text: 'a', count: 0, flag: false, list: ['b', null], record: { inner: null }, either: { a: 'c' } },
    { text: '', count: 7, flag: true, list: [], record: { inner: '"' }, either: { b: 'd' } },
  ]) {
    t.equal(own!(value), usual!(value));
    t.strictSame(JSON.parse(own!(value)), value);
  }
});
