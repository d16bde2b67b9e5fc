/** `tessera bulk --format` against a gateway: the files for print, and what they contain. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { decodePng } from '../support/pictures/decode.ts';
import { textOf } from '../support/pictures/print.ts';
import { bulkOf, run, sharedListener } from './support.ts';

const { url, call, account, admin } = await sharedListener();

/** An account, and a run over an input. */
const begin = async (t: Test, input: string) => {
  const { key, id } = await account({});
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

t.test('a print profile gives the sizes of all files, unless an option does', async (t) => {
  const { key, go, read } = await begin(t, 'data\nTable 1\n');
  t.match(await go('--profile', 'Flyer'), { code: 2, err: /--format: name the files to make/ });
  const terms = ['--profile', 'Flyer', '--format', 'svg', '--bleed-mm', '0'];
  t.match((await go(...terms)).err, 'profile: must be');
  const body = { name: 'Flyer', options: { format: 'pdf', width_mm: 30, bleed_mm: 2 } };
  await call({ method: 'POST', url: '/api/v1/print-profiles', key, body });
  const { code, err } = await go(...terms);
  t.equal(code, 0, err);
  t.match((await read('000001.svg')).toString(), /width="30mm"/);
});

t.test('a caption names the columns of the file, and what does not fit is reported by row', async (t) => {
  const input = 'data,name,room\nTable 1,Tisch 1,Küche\nTable 2,Tisch 2,Bad\n';
  const { go, rows, read } = await begin(t, input);
  for (const [args, told] of [
    [['--caption-side', 'above'], /--caption-side needs a caption/],
    [['--caption', 'x', '--allow', 'codes'], /--allow must be cut, glyphs or cut,glyphs/],
    [['--frame', 'oval'], /--frame must be one of none, line/],
  ] as const)
    t.match(await go(...args), { code: 2, err: told });
  const terms = ['--format', 'pdf', '--width-mm', '30', '--frame', 'banner-below'];
  const { code, err } = await go(...terms, '--caption', '{name}, {room}');
  t.equal(code, 0, err);
  const [first] = await rows();
  t.equal((await textOf(await read(first!.file!))).trim(), 'Tisch 1, Küche');

  const other = await begin(t, input);
  t.match(await other.go('--caption', '{floor}'), { err: /row 1 of the file: .*room/ });
  t.equal(await other.used(), 0);
});

t.test('a preset applies to every row, unless the row overrides it', async (t) => {
  const body = { name: 'Küche', options: { width: 150, height: 150, dotsOptions: { color: '#123456' } } };
  const input = 'data,width,height,dotsOptions.color\nTable 1,,,\nTable 2,200,200,#654321\n';
  const { key, go, read } = await begin(t, input);
  t.match((await go('--preset', 'Küche', '--format', 'png,svg')).err, '--preset: must be');
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
  t.match((await go('--format', 'png,svg')).err, 'was begun with --preset Küche');
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
    [['--dpi', '71'], /--dpi must be at least 72/],
    [['--quiet-zone', 'x'], /--quiet-zone must be a number/],
    [['--color', 'grey'], /--color must be one of rgb, cmyk/],
    [['--paper', 'glossy'], /--paper must be a CSS colour/],
  ] as const) {
    const { code, err } = await go(...args);
    t.equal(code, 2, err);
    t.match(err, told);
  }
  t.equal(await used(), 0);
});

t.test('files for point of sale have text below; codes that tills may not read are not made', async (t) => {
  const good = 'data\nhttps://brand.example/01/09521321000018/10/A7\n';
  const terms = ['--format', 'pdf,png', '--till', '--text', 'gs1'];
  const { go, read } = await begin(t, good);
  const { code, err } = await go(...terms);
  t.equal(code, 0, err);
  t.match((await textOf(await read('pdf/000001.pdf'))).replace(/\s/g, ''), '(01)09521321000018(10)A7');
  t.match((await go(...terms, '--format', 'pdf')).err, 'was begun with --format pdf,png');
  const plain = await begin(t, `${good}https://example.com/\n`);
  t.match(await plain.go(...terms), {
    code: 1,
    err: /row 3 of the file: data: character 20: the path must have a primary key/,
  });
  t.equal(await plain.used(), 0);
  const pale = await begin(t, 'data,dotsOptions.color\nhttps://brand.example/01/09521321000018,#ddd\n');
  t.match((await pale.go('--format', 'pdf', '--till')).out, /grade [01], and tills need 2/);
  t.equal(await pale.used(), 0);
});
