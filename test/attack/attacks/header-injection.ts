import type { Attack } from '../attack.ts';

const MARK = 'x-injected';
const BREAKS = ['\r\n', '\n', '\r', '\u2028', '\u010d\u010a', '\0\r\n'];
const ENCODED_BREAKS = ['%0d%0a', '%0a', '%e5%98%8a%e5%98%8d', '%c4%8d%c4%8a', '%25%30%61'];

const headOf = (text: string): string => text.split('\r\n\r\n', 1)[0] ?? '';

export const headerInjection: Attack = {
  name: 'header-injection',
  holds: 'no input adds a header to an answer',
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
