/** Requests that must not make an answer reveal files, lead to other hosts or echo headers of the caller. */
import type { Attack } from '../attack.ts';

const FOLDERS = [
  ...[
    '/',
    '/docs/',
    '/docs/static/',
    '/clients/',
    '/dashboard/',
    '/dashboard/assets/',
    '/l/',
    '/api/v1/codes/',
  ],
];
const UPS = [
  ...['../', '%2e%2e/', '%2e%2e%2f', '..%2f', '..%5c', '..\\', '....//', '%252e%252e%252f', '..%c0%af'],
  ...['..;/', './/../'],
];
const FILES = ['etc/passwd', 'package.json', 'admin-token', 'proc/self/environ', 'etc/passwd%00.css'];
const SECRETS = /root:.*:0:0|"dependencies"|ADMIN_TOKEN|DATABASE_URL/;

export const pathTraversal: Attack = {
  name: 'path-traversal',
  holds: 'no path serves a file that is not public',
  async run({ bytes, expect }) {
    for (const folder of FOLDERS) {
      for (const up of UPS) {
        for (const file of FILES) {
          const path = folder + up.repeat(6) + file;
          const { text } = await bytes(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
          expect(!SECRETS.test(text), `GET ${path} reveals a secret`);
        }
      }
    }
  },
};

const MARK = 'x-injected';
const BREAKS = ['\r\n', '\n', '\r', '\u2028', '\u010d\u010a', '\0\r\n'];
const ENCODED_BREAKS = ['%0d%0a', '%0a', '%e5%98%8a%e5%98%8d', '%c4%8d%c4%8a', '%25%30%61'];

const headOf = (text: string): string => text.split('\r\n\r\n', 1)[0] ?? '';

export const headerInjection: Attack = {
  name: 'header-injection',
  holds: 'no input can inject a header into an answer',
  needsAccount: true,
  async run({ ask, bytes, expect, account }) {
    const { key } = await account();
    for (const text of BREAKS) {
      const name = `a${text}${MARK}: 1${text}";filename="b`;
      const body = {
        items: [{ data: `https://example.com/${text}${MARK}:1`, dynamic: true }],
        folderName: name,
      };
      const batch = await ask({ method: 'POST', path: '/api/v1/qr/bulk', key, body });
      const slug: unknown = batch.json?.results?.[0]?.slug;
      if (typeof slug === 'string') {
        const { headers } = await ask({ path: `/l/${slug}` });
        expect(!(MARK in headers), `a destination with ${JSON.stringify(text)}`);
      }
      const folder = await ask({ method: 'POST', path: '/api/v1/folders', key, body: { name } });
      if (folder.status === 201) {
        const { headers } = await ask({ path: `/api/v1/folders/${folder.json.id}/archive`, key });
        expect(!(MARK in headers), `a folder's name with ${JSON.stringify(text)}`);
      }
    }
    for (const text of ENCODED_BREAKS) {
      for (const path of [
        `/l/x${text}${MARK}:1`,
        `/docs/x${text}${MARK}:1`,
        `/dashboard/x${text}${MARK}:1`,
        `/${text}${MARK}:1`,
      ]) {
        const raw = await bytes(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        expect(!new RegExp(`^${MARK}`, 'im').test(headOf(raw.text)), `GET ${path}`);
      }
      const raw = await bytes(
        `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: a${text}${MARK}: 1\r\n ${MARK}: 1\r\nConnection: close\r\n\r\n`,
        false,
      );
      expect(!new RegExp(`^${MARK}`, 'im').test(headOf(raw.text)), `a request id with ${text}`);
    }
  },
};

const EVIL = 'evil.example';

/** Headers that are not part of a cache key. */
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
  holds: 'pictures do not depend on other headers, errors are never cached, and no page echoes a header',
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

/** Destinations that no short link may have. */
const destinationsOf = (own: string): readonly string[] => [
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example/',
  '\\\\evil.example\\',
  '/relative',
  'https://user:password@example.com/',
  'http://',
  '',
  own,
  own.toUpperCase().replace('/L/', '/l/'),
  own.replace('/l/', '/./l/'),
  own.replace('/l/', '/%6c/'),
  `${own}?x#y`,
];

const PATHS = [
  ...['/l//evil.example', '/l/%2f%2fevil.example', '/l/https://evil.example', '//evil.example/l/x'],
  ...['/%5cevil.example', '/docs//evil.example', '/dashboard//evil.example/..'],
  '/docs/..//evil.example',
];

export const openRedirect: Attack = {
  name: 'open-redirect',
  holds: 'redirects lead only to the destination of the link, over http or https, and never in a loop',
  needsAccount: true,
  async run({ ask, expect, account }) {
    const { key } = await account();
    const items = [{ data: 'https://example.com/', dynamic: true }];
    const made = await ask({ method: 'POST', path: '/api/v1/qr/bulk', key, body: { items } });
    const link = await ask({ path: `/api/v1/links/${made.json.results[0]!.slug}`, key });
    const { slug, short_url: own }: { slug: string; short_url: string } = link.json;

    for (const destination of destinationsOf(own)) {
      const patch = await ask({ method: 'PATCH', path: `/api/v1/links/${slug}`, key, body: { destination } });
      expect(
        patch.status === 400 || patch.status === 429,
        `${destination} as a destination: ${patch.status}`,
      );
      const body = { items: [{ data: destination, dynamic: true }] };
      const batch = await ask({ method: 'POST', path: '/api/v1/qr/bulk', key, body });
      expect(batch.json?.results?.[0]?.success !== true, `${destination} as a dynamic code`);
    }
    const { headers } = await ask({ path: `/l/${slug}` });
    expect(headers.location === 'https://example.com/', `the link leads to ${headers.location}`);
    for (const path of PATHS) {
      const answer = await ask({ path });
      const { location = '' } = answer.headers;
      expect(!/^(https?:)?[/\\]{2}/.test(location), `${path} leads to ${location}`);
    }
  },
};
