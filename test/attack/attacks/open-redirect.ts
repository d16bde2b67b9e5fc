import type { Attack } from '../attack.ts';

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
  '/l//evil.example',
  '/l/%2f%2fevil.example',
  '/l/https://evil.example',
  '//evil.example/l/x',
  '/%5cevil.example',
  '/docs//evil.example',
  '/dashboard//evil.example/..',
  '/docs/..//evil.example',
];

export const openRedirect: Attack = {
  name: 'open-redirect',
  holds: "redirects lead only to the link's destination, by http or https, and never in a circle",
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
