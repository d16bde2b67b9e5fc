import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { etagOf, isKnownTo } from '../../src/http/etag.ts';

t.test('an ETag is strong, and differs with each value', async (t) => {
  t.match(etagOf('a', 1), /^"[\w-]{27}"$/);
  t.equal(etagOf('a', 1, null), etagOf('a', 1, null));
  t.equal(new Set([etagOf('a', 1), etagOf('a', 2), etagOf('b', 1), etagOf('a'), etagOf()]).size, 5);
});

t.test('a client knows what any of its ETags names, weak or not, and * names all', async (t) => {
  const knows = (sent: string | undefined, etag = '"x"') =>
    isKnownTo({ headers: { 'if-none-match': sent } } as FastifyRequest, etag);
  for (const sent of ['"x"', ' "x" ', 'W/"x"', '"a", "x"', '"a",W/"x","b"', '*', '"a", *']) {
    t.ok(knows(sent), sent);
  }
  for (const sent of [undefined, '', '"y"', 'x', 'w/"x"', '"W/x"', 'W/', '**'])
    t.notOk(knows(sent), String(sent));
});
