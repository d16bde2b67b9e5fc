import type { Attack } from '../attack.ts';

const EVIL = 'evil.example';

/** Headers by which a cache does not distinguish requests. */
const UNKEYED: readonly Readonly<Record<string, string>>[] = [
  { 'x-forwarded-host': EVIL },
  { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'http', 'x-forwarded-port': '1' },
  { forwarded: `host=${EVIL};proto=http` },
  { host: EVIL },
  { 'x-original-url': '/admin', 'x-rewrite-url': '/admin' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-prefix': `//${EVIL}` },
  { origin: `https://${EVIL}` },
  { accept: 'text/html;q=9, */*;q=nan' },
  { 'accept-language': EVIL, cookie: `a=${EVIL}`, 'user-agent': EVIL, referer: `https://${EVIL}/` },
  { range: 'bytes=0-0' },
  { 'content-type': 'application/json' },
];

export const cachePoisoning: Attack = {
  name: 'cache-poisoning',
  holds: 'a picture is the same whatever the headers, errors are never cached, and no page repeats a header',
  needsAccount: true,
  async run({ ask, expect, account }) {
    const { key } = await account();
    const path = `/api/v1/render?key=${key}&content=poison`;
    const plain = await ask({ path });
    expect(plain.status === 200, `the picture: ${plain.status}`);
    for (const headers of UNKEYED) {
      const what = JSON.stringify(headers);
      const same = await ask({ path, headers });
      expect(same.status === 200 && same.bytes.equals(plain.bytes), `the picture with ${what} differs`);
      expect(same.headers.etag === plain.headers.etag, `its ETag with ${what} differs`);
      for (const page of ['/dashboard', '/docs', '/openapi.json', '/nowhere', '/l/zzzzZZZ9']) {
        const answer = await ask({ path: page, headers });
        const said = `${JSON.stringify(answer.headers)}\n${answer.text}`;
        expect(!said.includes(EVIL), `${page} with ${what} repeats it`);
      }
    }
    for (const query of ['', '&width=1', '&dark=nothing', '&unknown=1', '&content=again']) {
      const refused = await ask({ path: query === '' ? '/api/v1/render?content=x' : `${path}${query}` });
      expect(refused.status !== 200, `render${query}: ${refused.status}`);
      expect(refused.headers['cache-control'] === 'no-store', `the error of render${query} may be cached`);
    }
  },
};
