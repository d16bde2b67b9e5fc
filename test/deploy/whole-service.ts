/** Uses every feature that loads packages at run time, to show that a pruned service or an image lacks none of them. */
import type { Test } from 'tap';
import { createAccount } from '../servers/account.ts';
import { until } from '../servers/until.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { xlsxOf } from '../support/files/xlsx.ts';
import { readZip } from '../support/files/zip.ts';

const SVG_LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="#0f766e"/></svg>`;
const logoUri = (type: string, bytes: Buffer): string =>
  `data:image/${type};base64,${bytes.toString('base64')}`;

/** Has a gradient, so that the reference renderer draws it. */
const GRADIENT = {
  width: 200,
  height: 200,
  dotsOptions: {
    type: 'classy-rounded',
    gradient: {
      type: 'linear',
      colorStops: [
        { offset: 0, color: '#7c2d12' },
        { offset: 1, color: '#1e3a8a' },
      ],
    },
  },
};

/** The first bytes of each file format. */
const SIGNATURES: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG',
  'image/svg+xml': '<svg',
  'application/pdf': '%PDF-',
  'application/postscript': '%!PS',
  'image/webp': 'RIFF',
};

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Options {
  readonly url: string;
  readonly adminToken: string;
}

/** Makes an account, and checks pictures, logos, files, sheets, batches, archives, readers and pages of a gateway. */
export const checkWholeService = async (t: Test, { url, adminToken }: Options): Promise<void> => {
  const { key } = await createAccount(url, adminToken, 'whole service');
  const call = async (method: string, path: string, body?: object | Buffer, headers = {}) => {
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : new Uint8Array(body as Buffer) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${bytes.toString()}`);
    return bytes;
  };
  const json = async (...args: Parameters<typeof call>): Promise<AnswerBody> =>
    JSON.parse((await call(...args)).toString());

  await t.test('pictures, with logos of every decoder', async (t) => {
    const picture = await call('POST', '/api/v1/qr/file', { data: 'logo', ...GRADIENT });
    const webp = await call('POST', '/api/v1/qr/file', { data: 'logo' }, { accept: 'image/webp' });
    const logos = [logoUri('svg+xml', Buffer.from(SVG_LOGO)), logoUri('png', picture), logoUri('webp', webp)];
    for (const image of logos) {
      const { data } = await json('POST', '/api/v1/qr', {
        data: 'https://example.com/',
        image,
        ...GRADIENT,
      });
      t.match(data, /^data:image\/png;base64,/);
    }
  });

  await t.test('files of every format', async (t) => {
    for (const [accept, signature] of Object.entries(SIGNATURES)) {
      const file = await call('POST', '/api/v1/qr/file', { data: 'file', ...GRADIENT }, { accept });
      t.equal(file.toString('latin1', 0, signature.length), signature, accept);
    }
  });

  await t.test('a batch from a spreadsheet, its archive, label sheets and verification', async (t) => {
    const rows = xlsxOf([
      ['data', 'name'],
      ['https://example.com/1', 'one'],
      ['https://example.com/2', 'two'],
    ]);
    const formats = 'formats=png,svg,pdf,eps,webp';
    const { id } = await json('POST', `/api/v1/batches?folder_name=Cups&${formats}`, rows, {
      'content-type': SPREADSHEET,
    });
    await until(async () => (await json('GET', `/api/v1/batches/${id}`)).finished_at !== null);
    const batch = await json('GET', `/api/v1/batches/${id}`);
    t.match(batch, { state: 'done' });
    const entries = await readZip(await call('GET', `/api/v1/batches/${id}/parts/1`));
    for (const ending of ['png', 'svg', 'pdf', 'eps', 'webp']) {
      t.equal(entries.filter(({ name }) => name.endsWith(`.${ending}`)).length, 2, ending);
    }

    const folder = `/api/v1/folders/${batch.folder_id}`;
    t.ok((await readZip(await call('GET', `${folder}/archive`))).length > 2);
    const sheet = { template: 'avery-l7160', label: { caption: 'Grüße {content}', caption_side: 'beside' } };
    t.match((await call('POST', `${folder}/sheets`, sheet)).toString('latin1'), /^%PDF-[\s\S]*DejaVuSans/);
    const verification = `${folder}/verifications/${(await json('POST', `${folder}/verifications`)).id}`;
    await until(async () => (await json('GET', verification)).state !== 'running');
    t.match(await json('GET', verification), { state: 'done', total: 2, passed: 2 });
    t.match((await call('GET', `${verification}/receipt?format=html`)).toString(), /<html/);
  });

  await t.test('pages', async (t) => {
    t.match((await call('GET', '/dashboard')).toString(), /<html/);
    t.match((await call('GET', '/docs/')).toString(), /swagger/i);
    t.ok((await call('GET', '/docs/static/swagger-ui-bundle.js')).length > 1e6);
    t.match(await json('GET', '/openapi.json'), { openapi: /^3\.1/ });
    const sums = (await call('GET', '/clients/SHA256SUMS')).toString();
    t.strictSame(sums.match(/(?<=\.)(?:tgz|whl|tar\.gz)$/gm)?.sort(), ['tar.gz', 'tgz', 'whl']);
    const metrics = await call('GET', '/metrics', undefined, { authorization: `Bearer ${adminToken}` });
    t.match(metrics.toString(), /^tessera_render_queue_seconds 0$/m);
  });
};
