import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import { etagOf, isKnownTo } from '../../../src/http/files/versions.ts';
import { pictureKey } from '../../../src/render/result-cache.ts';

t.test('an ETag is strong, and differs for each picture', async (t) => {
  const key = (text: string) => pictureKey({ text, design: toDesign({}), format: 'png', logoSha256: null });
  t.match(etagOf(key('a')), /^"[\w-]{27}"$/);
  t.equal(etagOf(key('a')), etagOf(key('a')));
  t.not(etagOf(key('a')), etagOf(key('b')));
});

t.test('If-None-Match matches any of its ETags, weak or strong, and * matches all', async (t) => {
  const knows = (sent: string | undefined, etag = '"x"') =>
    isKnownTo({ headers: { 'if-none-match': sent } } as FastifyRequest, etag);
  for (const sent of ['"x"', ' "x" ', 'W/"x"', '"a", "x"', '"a",W/"x","b"', '*', '"a", *']) {
    t.ok(knows(sent), sent);
  }
  for (const sent of [undefined, '', '"y"', 'x', 'w/"x"', '"W/x"', 'W/', '**'])
    t.notOk(knows(sent), String(sent));
});
