/** `tessera bulk --format` against a gateway: which files are drawn locally, and what they contain. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { decodePng } from '../support/pictures/decode.ts';
import { textOf } from '../support/pictures/print.ts';
import { bulkOf, fakeGateway, type Received, type Reply, run, sharedListener } from './support.ts';

const { url, call, account, admin } = await sharedListener();

/** An account, and a run over an input. */
const begin = async (t: Test, input: string, scopes = ['generate', 'manage']) => {
  const { key, id } = await account({ scopes });
  const { manifest: rows, ...bulk } = await bulkOf(t, { TESSERA_URL: url, TESSERA_KEY: key }, input);
  const used = async () => JSON.parse((await admin('GET', `/accounts/${id}`)).text).usage.usage_count;
  return { ...bulk, key, rows, used };
};

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The decoded content of a WebP. */
const decodeWebp = async (webp: Buffer) => decodePng(await sharp(webp).png().toBuffer());

const LOGO = `data:image/png;base64,${(
  await sharp({ create: { width: 40, height: 40, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
).toString('base64')}`;

t.test('each row has a file of one print size in each format, and the manifest names them', async (t) => {
  const input = `data,dynamic,file,dotsOptions.type,image\nTable 1,,table,rounded,\nhttps://example.com/menu,true,menu,,\nWith a logo,,,,"${LOGO}"\n`;
  const { go, rows, read, used, out } = await begin(t, input);
  const terms = ['--format', 'png,svg,pdf,eps,webp', '--module-mm', '0.508', '--dpi', '600'];
  const { code, err } = await go(...terms);
  t.equal(code, 0, err);
  t.equal(await used(), 3);
  const [table, menu] = await rows();
  t.match(table, { file_png: 'png/table.png', file_svg: 'svg/table.svg', grade: '4', warnings: '' });
  for (const row of await rows()) {
    for (const format of ['png', 'svg', 'pdf', 'eps', 'webp']) {
      const bytes = await read(row[`file_${format}`]!);
      t.equal(sha256(bytes), row[`sha256_${format}`], `${format} ${row.content}`);
    }
    const text = row.short_url || row.content;
    const png = await read(row.file_png!);
    t.equal(await decodePng(png), text);
    t.equal(await decodeWebp(await read(row.file_webp!)), text);
    const { width = 0, density } = await sharp(png).metadata();
    t.equal(width % 12, 0, '12 dots per module');
    t.equal(density, 600);
    const [, svgMm] = /width="([\d.]+)mm"/.exec((await read(row.file_svg!)).toString()) ?? [];
    t.ok(Math.abs(Number(svgMm) - (width / 600) * 25.4) < 0.01, `${svgMm} mm`);
  }
  t.equal(menu!.short_url, `http://qr.test/l/${menu!.slug}`);
  t.match((await read('pdf/table.pdf')).toString('latin1'), /^%PDF-/);
  t.match((await read('eps/table.eps')).toString('latin1'), /^%!PS-Adobe-3\.0 EPSF/);

  const verified = await run(['verify', out, '--threads', '1']);
  t.equal(verified.code, 0, verified.err);
  t.match(verified.out, '3 of 3 codes passed');
  t.match(verified.out, '3 PDF files are those of the manifest; they were not read.');
  await writeFile(join(out, 'pdf/table.pdf'), 'changed');
  await writeFile(join(out, 'webp/menu.webp'), await read('webp/table.webp'));
  const { results, troubles } = JSON.parse((await run(['verify', out, '--json', '--threads', '1'])).out);
  t.match(results, { codes: 3, failed: 2, passed: 1 });
  t.match(troubles, [
    { row: '1', file: 'pdf/table.pdf', what: 'the file was changed after the manifest was written' },
    { row: '2', file: 'webp/menu.webp', result: 'failed' },
  ]);
});

t.test('a PNG sized in pixels comes from the gateway, and vector files are drawn locally', async (t) => {
  const input = 'data\nTable 1\n';
  const both = await begin(t, input);
  t.equal((await both.go('--format', 'svg,png')).code, 0);
  const alone = await begin(t, input);
  t.equal((await alone.go()).code, 0);
  t.strictSame(await both.read('png/000001.png'), await alone.read('000001.png'));
  t.strictSame(Object.keys((await alone.rows())[0]!), [
    ...['row', 'file_row', 'content', 'slug', 'short_url', 'file', 'sha256', 'grade', 'warnings', 'error'],
  ]);
  t.strictSame(Object.keys((await both.rows())[0]!).slice(5), [
    ...['file_svg', 'sha256_svg', 'file_png', 'sha256_png', 'grade', 'warnings', 'error'],
  ]);
  const vectors = await begin(t, input);
  t.equal((await vectors.go('--format', 'pdf', '--module-mm', '0.28')).code, 0);
  t.strictSame((await readdir(vectors.out)).sort(), ['.tessera', '000001.pdf', 'manifest.csv']);
  const { out, code } = await run(['verify', vectors.out, '--threads', '1']);
  t.equal(code, 0);
  t.match(out, '0 of 1 code passed, 0 are weak.\n1 PDF file is that of the manifest; it was not read.');
  const [small] = await vectors.rows();
  t.match(small!.warnings, 'small-modules;v=0.28', 'modules on paper have their own grade and warning');
  t.ok(Number(small!.grade) < 4);
});

t.test('a preset applies to every row, on the gateway and in files that are drawn locally', async (t) => {
  const body = { name: 'Küche', options: { width: 150, height: 150, dotsOptions: { color: '#123456' } } };
  const input = 'data,width,height,dotsOptions.color\nTable 1,,,\nTable 2,200,200,#654321\n';
  const { key, go, read } = await begin(t, input);
  t.match((await go('--preset', 'Küche', '--format', 'png,svg')).err, 'has no preset "Küche"');
  await call({ method: 'POST', url: '/api/v1/presets', key, body });
  const { code, err } = await go('--preset', 'Küche', '--format', 'png,svg');
  t.equal(code, 0, err);
  for (const [row, width, color] of [
    ['000001', 150, '#123456'],
    ['000002', 200, '#654321'],
  ] as const) {
    t.equal((await read(`png/${row}.png`)).readUInt32BE(16), width);
    const svg = (await read(`svg/${row}.svg`)).toString();
    t.match(svg, new RegExp(`<svg[^>]* width="${width}"`));
    t.match(svg, color);
  }
  t.match((await go('--format', 'png,svg')).err, 'was begun with --preset "Küche"');
  const generating = await begin(t, input, ['generate']);
  t.match((await generating.go('--preset', 'Küche', '--format', 'svg')).err, /the scope manage, or --remote/);
});

t.test('files include the repairs that the gateway made', async (t) => {
  const input = 'data,cornersDotOptions.type,margin\nTable 1,dots,0\n';
  const asked = await begin(t, input);
  t.equal((await asked.go('--format', 'png,svg')).code, 0);
  const repaired = await begin(t, input);
  t.equal((await repaired.go('--format', 'png,svg', '--repair')).code, 0);
  t.match([(await asked.rows())[0]!.grade, (await repaired.rows())[0]!.grade], ['0', '4']);
  const difference = async ({ read }: typeof asked) => {
    const [png, svg] = await Promise.all([read('png/000001.png'), read('svg/000001.svg')]);
    const pixels = (picture: Uint8Array) => sharp(picture).greyscale().raw().toBuffer();
    const [one, other] = await Promise.all([png, new Resvg(svg).render().asPng()].map(pixels));
    return one!.filter((value, place) => Math.abs(value - other![place]!) > 128).length;
  };
  t.ok((await difference(asked)) < 200);
  t.ok((await difference(repaired)) < 200, 'both files have the same symbol');
  t.match((await repaired.go('--format', 'png,svg')).err, 'was begun with --repair');
});

t.test('without the scope for links, the content of a dynamic code is read from its picture', async (t) => {
  const { go, rows, read } = await begin(t, 'data,dynamic\nhttps://example.com/,true\n', ['generate']);
  const { code, err } = await go('--format', 'webp', '--module-mm', '0.508');
  t.equal(code, 0, err);
  const [row] = await rows();
  t.equal(row!.short_url, `http://qr.test/l/${row!.slug}`);
  t.equal(await decodeWebp(await read(row!.file!)), row!.short_url);
});

t.test('formats and sizes that no file can have are reported before anything is sent', async (t) => {
  const { go, used } = await begin(t, 'data\nTable 1\n');
  for (const [args, told] of [
    [
      ['--format', 'png,svg', '--module-mm', '0.5', '--dpi', '600'],
      /--module-mm gives 11\.811 dots .*0\.465667 or 0\.508/,
    ],
    [['--module-mm', '0.508', '--width-mm', '20'], /--width-mm must not be sent together with --module-mm/],
    [['--format', 'png,gif'], /--format must be one or several of png,svg,pdf,eps,webp/],
    [['--format', 'png,png'], /names a format twice/],
    [['--dpi', '71'], /--dpi must be 72 to 2400/],
    [['--quiet-zone', 'x'], /--quiet-zone must be 0 to 20/],
    [['--color', 'grey'], /--color must be rgb or cmyk/],
    [['--paper', 'glossy'], /--paper must be a CSS colour/],
  ] as const) {
    const { code, err } = await go(...args);
    t.equal(code, 2, err);
    t.match(err, told);
  }
  t.equal(await used(), 0);
});

t.test('a row whose width gives no whole dots fails before it is charged', async (t) => {
  const { go, rows, used } = await begin(t, `data\nTable 1\n${'x'.repeat(100)}\n`);
  // 29 modules with a quiet zone, of 10 dots each at 300 dpi.
  const { code } = await go('--width-mm', String((290 * 25.4) / 300));
  t.equal(code, 1);
  const [good, bad] = await rows();
  t.equal(good!.error, '');
  t.match(bad!.error, /^width_mm: gives .* dots a module at 300 dpi/);
  t.equal(await used(), 1);
});

t.test('an interrupted run is completed when it is run again, and only with the same formats', async (t) => {
  const { go, out, rows, used } = await begin(t, 'data\na\nb\n');
  const terms = ['--format', 'svg,png', '--module-mm', '0.508'];
  t.equal((await go(...terms)).code, 0);
  const journal = join(out, '.tessera/journal.ndjson');
  const [begun] = (await readFile(journal, 'utf8')).split('\n');
  await writeFile(journal, `${begun}\n{"done":0,"ro`);
  await rm(join(out, 'svg/000002.svg'));
  const before = await rows();
  t.match((await go('--format', 'svg')).err, 'was begun with --format svg,png --module-mm 0.508');
  t.equal((await go(...terms)).code, 0);
  t.strictSame(await rows(), before, 'the bytes are the same');
  t.strictSame(await readdir(join(out, 'svg')), ['000001.svg', '000002.svg']);
  t.equal(await used(), 2);
});

t.test('a row that was made but cannot be drawn locally is not sent again', async (t) => {
  const reply = ({ body }: Received): Reply => ({
    status: 200,
    body: { results: body.items.map(() => ({ success: true, data: LOGO })), meta: { remaining: 1 } },
  });
  const gateway = await fakeGateway(t, reply);
  const env = { TESSERA_URL: gateway.url, TESSERA_KEY: 'tsr_key' };
  const { go } = await bulkOf(t, env, 'data,image\na,"data:image/png;base64,AAAA"\n');
  const { code, out } = await go('--format', 'svg', '--json');
  t.equal(code, 1);
  t.match(JSON.parse(out).failed_rows, [
    { row: 1, error: /^made and paid for, but its files cannot be drawn here: image: / },
  ]);
  t.equal(gateway.received.length, 1);
});

t.test('files for point of sale have text below; a row that tills may not read is not charged', async (t) => {
  const input = 'data\nhttps://brand.example/01/09521321000018/10/A7\nhttps://example.com/\n';
  const { go, read, used } = await begin(t, input);
  const { code, out: said } = await go('--format', 'pdf,png', '--till', '--text', 'gs1');
  t.equal(code, 1);
  t.match(said, /row 3 of the file: data: character 20: the path must have a primary key/);
  t.equal(await used(), 1);
  const [pdf] = await Promise.all(['pdf/000001.pdf'].map(read));
  t.match((await textOf(pdf!)).replace(/\s/g, ''), '(01)09521321000018(10)A7');
  t.match((await go('--format', 'pdf')).err, 'was begun with --format pdf,png --text gs1 --till');
  const pale = await begin(t, 'data,dotsOptions.color\nhttps://brand.example/01/09521321000018,#ddd\n');
  t.match(
    (await pale.go('--format', 'pdf', '--till')).out,
    /row 2 of the file: .*this gives grade [01], and --min-grade asks for 2/,
  );
  t.equal(await pale.used(), 0);
});
