import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { createLogoSource } from '../../src/logo/source.ts';
import { readSvg, readSvgSize } from '../../src/logo/svg/check.ts';
import { createSvgRaster, limitMemory } from '../../src/logo/svg/raster.ts';
import { dataUri, svg, svgUri } from '../hostile/pictures.ts';
import { BOX, filtered, forbiddenContents, oddFiles, RECT, svgBombs } from '../hostile/svgs.ts';
import { casesOf, fewestOf, someOf } from '../support/cases.ts';
import { describeCost, describeOutcome, listeningLog, look, measure, stageOf } from './pictures.ts';

const { entries, log } = listeningLog();
const context = { accountId: 'a' };
/** With a very long timeout, so that results do not depend on the load of the machine. */
const source = createLogoSource({ svgTimeoutMs: 30_000, svgWaitMs: 60_000 }, log);
t.teardown(() => source.close());

t.test('an SVG is drawn at 1024 px, whatever size it claims', async (t) => {
  const half =
    '<rect width="50" height="100" fill="#00f"/><rect x="50" width="50" height="100" fill="#0f0"/>';
  const outcome = await source.resolve(svgUri('viewBox="0 0 100 100" width="10" height="10"', half), context);
  const seen = look(outcome);
  t.same([seen.widthPx, seen.heightPx], [1024, 1024]);
  t.ok(outcome.ok && outcome.value.logo.widthPx === 10 && outcome.value.logo.heightPx === 10, 'natural size');
  t.same(
    [seen.at(100, 500), seen.at(900, 500)],
    [
      [0, 0, 255, 255],
      [0, 255, 0, 255],
    ],
  );
  const wide = look(await source.resolve(svgUri('viewBox="0 0 3 1.5"', half), context));
  t.same([wide.widthPx, wide.heightPx], [1024, 512]);
  const filtered = await source.resolve(
    svgUri(BOX, `<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g filter="url(#f)">${half}</g>`),
    context,
  );
  t.equal(look(filtered).widthPx, 512, 'an SVG with filters is smaller, because filters cost per pixel');
});

t.test('features that SVG editors use are drawn, such as styles, clips and nested bitmaps', async (t) => {
  const red = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#ff0000' } })
    .jpeg({ quality: 100 })
    .toBuffer();
  const drawings: [string, string][] = [
    ['style sheet', '<style>.a{fill:#f00}</style><rect class="a" width="100" height="100"/>'],
    [
      'style in CDATA',
      '<style type="text/css"><![CDATA[ .a > rect { fill: red } ]]></style><g class="a"><rect width="100" height="100"/></g>',
    ],
    [
      'quoted url()',
      `<linearGradient id="g"><stop stop-color="red"/></linearGradient><rect width="100" height="100" fill="url('#g')"/>`,
    ],
    [
      'quoted url() in a style',
      '<linearGradient id="g"><stop stop-color="red"/></linearGradient><rect width="100" height="100" style="fill:url( &quot;#g&quot; )"/>',
    ],
    ['use by href', '<defs><rect id="r" width="100" height="100" fill="red"/></defs><use href="#r"/>'],
    [
      'use by xlink:href',
      '<symbol id="r"><rect width="100" height="100" fill="red"/></symbol><use xlink:href="#r"/>',
    ],
    ['both hrefs', '<rect id="r" width="100" height="100" fill="red"/><use href="#r" xlink:href="#r"/>'],
    [
      'clip and mask',
      '<clipPath id="c"><rect width="90" height="90"/></clipPath><mask id="m"><rect width="99" height="99" fill="#fff"/></mask><g clip-path="url(#c)"><rect mask="url(#m)" width="100" height="100" fill="red"/></g>',
    ],
    ['png inside', `<image width="100" height="100" href="${dataUri('png', red)}"/>`],
    ['jpeg inside', `<image width="100" height="100" xlink:href="${dataUri('jpeg', jpeg)}"/>`],
    ['link', '<a href="https://example.com/" target="_top"><rect width="100" height="100" fill="red"/></a>'],
    ['named prefix', '<s:rect xmlns:s="http://www.w3.org/2000/svg" width="100" height="100" fill="red"/>'],
  ];
  // A flat picture, because a square one would take ten times as long.
  const flat = 'viewBox="0 0 100 10"';
  for (const [name, content] of drawings) {
    const outcome = await source.resolve(svgUri(flat, content), context);
    t.ok(outcome.ok && look(outcome).isRedAnywhere, `${name}: ${describeOutcome(outcome)}`);
  }
  const editor = svg(
    `${flat} xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:version="1" onlyunknown="1"`,
    '<title>a</title><desc>b</desc><metadata><x xmlns="urn:y"/></metadata><inkscape:view><script/></inkscape:view><rect width="9" height="9" fill="red" inkscape:label="z"/>',
  );
  const outcome = await source.resolve(dataUri('svg+xml', editor.replace('onlyunknown', 'unknown')), context);
  t.ok(look(outcome).isRedAnywhere, 'editor-specific elements and attributes are removed');
  const document = readSvg(Buffer.from(editor.replace('onlyunknown', 'unknown')));
  t.notMatch(document.ok && document.value.markup(1, 1), /inkscape|title|metadata|script/);
});

t.test('the natural size is the one a browser would show', async (t) => {
  const sizes: [Record<string, string>, [number, number] | null][] = [
    [{ viewBox: '0 0 24 12.5' }, [24, 12.5]],
    [{ viewBox: '0,0,24,12' }, [24, 12]],
    [{ viewBox: '-5 -5 10 20', width: '100%', height: 'auto' }, [10, 20]],
    [{ viewBox: '0 0 24 12', width: '48' }, [48, 24]],
    [{ viewBox: '0 0 24 12', height: '3cm' }, [(6 * 96) / 2.54, (3 * 96) / 2.54]],
    [{ width: '1in', height: '72pt' }, [96, 96]],
    [{ width: '10mm', height: '1pc' }, [960 / 25.4, 16]],
    [{ width: '2em', height: '1.5e1px' }, [32, 15]],
    [{ width: '  20 ', height: '+10.' }, [20, 10]],
    [{}, null],
    [{ width: '10' }, null],
    [{ width: '50%', height: '50%' }, null],
  ];
  for (const [root, size] of sizes) {
    const read = readSvgSize(root);
    if (size === null) t.equal(read.ok, false, JSON.stringify(root));
    else t.match(read, { value: { widthPx: size[0], heightPx: size[1] } }, JSON.stringify(root));
  }
  for (const bad of '1e9|NaN|Infinity|-5|0|1e-9|10furlong|0x10|1e999|5 5|1e400px'.split('|')) {
    for (const attributes of [
      `width="${bad}" height="${bad}"`,
      `width="${bad}" height="10"`,
      `width="10" height="${bad}" ${BOX}`,
    ]) {
      const outcome = await source.resolve(svgUri(attributes, RECT), context);
      t.equal(stageOf(outcome), 'svg', `${attributes}: ${describeOutcome(outcome)}`);
    }
  }
  for (const box of [
    '0 0 0 0',
    '0 0 1e9 1e9',
    '0 0 -1 5',
    '0 0 NaN 5',
    '1 2 3',
    '0 0 1 2 3',
    '1e9 0 5 5',
    '0 0 1e-9 1e-9',
    '0 0 2100 100',
    'a b c d',
  ]) {
    const outcome = await source.resolve(svgUri(`viewBox="${box}"`, RECT), context);
    t.equal(stageOf(outcome), 'svg', `viewBox ${box}: ${describeOutcome(outcome)}`);
  }
});

t.test('an SVG that refers to anything outside is refused, and no file on disk is ever drawn', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-canary-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const canary = join(folder, 'red.png');
  writeFileSync(
    canary,
    await sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer(),
  );
  const canarySvg = join(folder, 'red.svg');
  writeFileSync(canarySvg, svg(BOX, '<rect width="100" height="100" fill="red"/>'));
  mkdirSync(join(folder, 'in'));
  const inner = (href: string) =>
    svg('width="100" height="100"', `<image width="100" height="100" href="${href}"/>`);
  const hrefs = [
    canary,
    canarySvg,
    relative(process.cwd(), canary),
    join(folder, 'in', '..', 'red.png'),
    `${folder}/in/../red.png`,
    pathToFileURL(canary).href,
    `file://${canary}`,
    `file:${canary}`,
    `//localhost${canary}`,
    `http://127.0.0.1:9/red.png`,
    'https://example.com/red.png',
    `data:image/svg+xml;base64,${Buffer.from(inner(canary)).toString('base64')}`,
    `data:image/svg+xml;utf8,${encodeURIComponent(inner(canary))}`,
    `data:text/plain;base64,${Buffer.from(inner(canary)).toString('base64')}`,
    `data:image/png;base64,${Buffer.from(inner(canary)).toString('base64')}`,
    `data:image/png;base64,${gzipSync(inner(canary)).toString('base64')}`,
    `data:;base64,${Buffer.from(inner(canary)).toString('base64')}`,
    `red.svg#a`,
    ` #a ${canary}`,
  ];
  const ways: [string, (href: string) => string][] = [
    ['image', (href) => `<image width="100" height="100" href="${href}"/>`],
    ['image xlink', (href) => `<image width="100" height="100" xlink:href="${href}"/>`],
    [
      'image, other prefix',
      (href) => `<image xmlns:q="http://www.w3.org/1999/xlink" width="100" height="100" q:href="${href}"/>`,
    ],
    [
      'feImage',
      (href) =>
        `<filter id="f"><feImage href="${href}"/></filter><rect width="100" height="100" filter="url(#f)"/>`,
    ],
    [
      'pattern',
      (href) =>
        `<pattern id="p" width="1" height="1"><image width="100" height="100" href="${href}"/></pattern><rect width="100" height="100" fill="url(#p)"/>`,
    ],
    [
      'pattern href',
      (href) => `<pattern id="p" href="${href}"/><rect width="100" height="100" fill="url(#p)"/>`,
    ],
    ['use', (href) => `<use href="${href}"/>`],
    ['fill', (href) => `<rect width="100" height="100" fill="url(${href})"/>`],
    ['style', (href) => `<rect width="100" height="100" style="fill:url('${href}')"/>`],
    ['sheet', (href) => `<style>rect{fill:url("${href}")}</style><rect width="100" height="100"/>`],
    ['import', (href) => `<style>@import "${href}";</style>${RECT}`],
  ];
  let refused = 0;
  for (const href of hrefs) {
    for (const [name, write] of ways) {
      const outcome = await source.resolve(svgUri(BOX, write(href)), context);
      if (!outcome.ok && outcome.fault.stage === 'svg') refused++;
      else t.fail(`${name} ${href.slice(0, 60)}: ${describeOutcome(outcome)}`);
    }
  }
  t.equal(refused, hrefs.length * ways.length, `${refused} ways to a red picture are refused`);

  // Second line of defence: even with unfiltered markup, the rasteriser has no access to the file system.
  const rasteriser = readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'));
  await initWasm(limitMemory(rasteriser, 192 * 1024 * 1024));
  for (const [name, write] of ways.slice(0, 6)) {
    for (const href of hrefs.slice(0, 13)) {
      const markup = svg('width="100" height="100"', write(href.replaceAll('&', '&amp;')));
      const { pixels } = new Resvg(markup, { font: { loadSystemFonts: false } }).render();
      let isRed = false;
      for (let at = 0; at < pixels.length; at += 4) isRed ||= (pixels[at] ?? 0) > 100;
      t.notOk(isRed, `${name} ${href.slice(0, 40)} unread`);
    }
  }
});

t.test('scripts, foreign content, animation, text and external styles are refused by name', async (t) => {
  const contents = forbiddenContents();
  for (const [name, content] of contents) {
    const outcome = await source.resolve(svgUri(BOX, content), context);
    t.equal(stageOf(outcome), 'svg', `${name}: ${describeOutcome(outcome)}`);
  }
  t.equal(
    stageOf(await source.resolve(svgUri(`${BOX} onload="alert(1)"`, RECT), context)),
    'svg',
    'on the root',
  );
  const sheet = `<?xml-stylesheet href="http://example.com/a.css"?>${svg(BOX, RECT)}`;
  t.equal(stageOf(await source.resolve(dataUri('svg+xml', sheet), context)), 'svg', 'xml-stylesheet');
});

t.test('document types with entities and other encodings are refused, harmless ones drawn', async (t) => {
  const cases = oddFiles();
  for (const [name, file, stage] of cases) {
    const { result, cost } = await measure(() => source.resolve(dataUri('svg+xml', file), context));
    t.equal(stageOf(result), stage, `${name}: ${describeOutcome(result)}; ${describeCost(cost)}`);
  }
});

t.test('a bare <!DOCTYPE> is left out, and one of Illustrator is refused with what to do', async (t) => {
  const affinity = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg width="100%" height="100%" viewBox="0 0 8 8" version="1.1" xmlns="http://www.w3.org/2000/svg" xml:space="preserve"><g><rect width="8" height="8" style="fill:#c00"/></g></svg>`;
  const seen = look(await source.resolve(dataUri('svg+xml', affinity), context));
  t.same(seen.at(500, 500), [204, 0, 0, 255]);
  const read = readSvg(Buffer.from(affinity));
  t.notMatch(read.ok && read.value.markup(8, 8), /DOCTYPE|dtd/);
  const declared = affinity.replace('dtd">', 'dtd" [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>');
  t.match(readSvg(Buffer.from(declared)), {
    ok: false,
    fault: { isSvg: true, message: /without "Preserve Illustrator Editing Capabilities"/ },
  });
});

t.test('the numbers of elements and levels have exact limits', async (t) => {
  const nested = (deep: number) => readSvg(Buffer.from(svg(BOX, '<g>'.repeat(deep) + '</g>'.repeat(deep))));
  t.equal(nested(99).ok, true);
  t.match(nested(100), { ok: false, fault: { isSvg: true, message: /more than 100 deep/ } });
  const flat = (count: number) => readSvg(Buffer.from(svg(BOX, '<g/>'.repeat(count))));
  t.equal(flat(4999).ok, true);
  t.match(flat(5000), { ok: false, fault: { isSvg: true, message: /more than 5000 elements/ } });
});

t.test('SVG bombs end in time in a picture or a fault, and others are served meanwhile', async (t) => {
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#00f' } })
    .png()
    .toBuffer();
  const timeoutMs = 70;
  const clocked = createLogoSource({ svgTimeoutMs: timeoutMs, svgWaitMs: 60_000 }, log);
  t.teardown(() => clocked.close());
  const logged = entries.length;
  for (const [name, content] of someOf(svgBombs())) {
    const { timedOut } = clocked.stats().svgs;
    const order: string[] = [];
    const bitmap = dataUri('png', Buffer.concat([png, Buffer.from(name)]));
    const { result, cost } = await measure(() =>
      Promise.all([
        clocked.resolve(svgUri(BOX, content), { accountId: 'hostile' }).finally(() => order.push('bomb')),
        clocked.resolve(bitmap, context).finally(() => order.push('bitmap')),
      ]),
    );
    t.comment(`${name} (${content.length} characters): ${describeOutcome(result[0])}; ${describeCost(cost)}`);
    t.match(stageOf(result[0]), /^(ok|svg)$/, name);
    t.equal(stageOf(result[1]), 'ok', 'a bitmap meanwhile');
    if (clocked.stats().svgs.timedOut > timedOut) t.equal(order[0], 'bitmap', 'before the bomb ended');
    t.ok(cost.extraBytes < 300e6, describeCost(cost));
  }
  const { svgs } = clocked.stats();
  t.comment(JSON.stringify(svgs));
  t.ok(svgs.timedOut >= casesOf(5), `${svgs.timedOut} were ended by the timeout`);
  const ended = svgs.timedOut + svgs.broken;
  t.equal(entries.length - logged, ended, 'these are logged');
  t.ok(svgs.started - ended <= 1, `only their threads were replaced: ${svgs.started} threads`);
});

t.test('a drawing that timed out on a busy machine may be retried immediately', async (t) => {
  const waiting = createLogoSource({ svgTimeoutMs: 60_000, svgWaitMs: 100 }, log);
  t.teardown(() => waiting.close());
  const slow = svgUri(BOX, filtered('<feGaussianBlur stdDeviation="9"/>'.repeat(3000)));
  for (const tries of [1, 2]) {
    t.equal(stageOf(await waiting.resolve(slow, context)), 'busy');
    t.match(waiting.stats().svgs, { starved: tries, timedOut: 0 }, 'the refusal is not cached');
  }
});

t.test('the time limit counts processor time, not wall-clock time', async (t) => {
  const drawing = svgUri(BOX, filtered('<feGaussianBlur stdDeviation="9"/>'));
  const timeoutMs = 500;
  const clocked = createLogoSource({ svgTimeoutMs: timeoutMs, svgWaitMs: 60_000 }, log);
  t.teardown(() => clocked.close());
  t.equal(stageOf(await clocked.resolve(svgUri(BOX, RECT), context)), 'ok', 'the thread has started');
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const spin =
    'const { workerData } = require("node:worker_threads"); while (Atomics.load(workerData, 0) === 0);';
  const spinners = Array.from(
    { length: 4 * availableParallelism() },
    () => new Worker(spin, { eval: true, execArgv: [], workerData: stop }),
  );
  await Promise.all(spinners.map((spinner) => once(spinner, 'online')));
  const { result, cost } = await measure(() => clocked.resolve(drawing, context));
  Atomics.store(stop, 0, 1);
  await Promise.all(spinners.map((spinner) => spinner.terminate()));
  t.comment(describeCost(cost));
  t.equal(stageOf(result), 'ok');
});

t.test('the memory of the rasteriser is limited, and exceeding it is a fault', async (t) => {
  const raster = createSvgRaster({
    timeoutMs: 30_000,
    waitMs: 60_000,
    maxMemoryBytes: 24 * 1024 * 1024,
    idleMs: 1000,
  });
  t.teardown(() => raster.close());
  // A layer of 1024 x 1024 takes 4 MiB.
  const layers = (count: number) => '<g opacity=".5">'.repeat(count) + RECT + '</g>'.repeat(count);
  const drawing = Buffer.from(svg(BOX, layers(1)));
  t.match(await raster.draw(drawing), { outcome: 'drawn' }, 'little fits');
  t.match(
    await raster.draw(Buffer.from(svg(BOX, layers(9)))),
    { outcome: 'broken', reason: /unreachable|memory/ },
    'a large one does not',
  );
  t.match(await raster.draw(drawing), { outcome: 'drawn' }, 'the next is drawn by a new thread');
  t.match(raster.stats(), { started: 2, drawn: 2, broken: 1 });
  t.throws(() => limitMemory(Buffer.from('\0asm\x01\0\0\0', 'latin1'), 65_536), /memory/);
  t.throws(
    () => limitMemory(Buffer.from('\0asm\x01\0\0\0\x05\x04\x01\x01\x01\x02', 'latin1'), 65_536),
    /memory/,
  );
  t.throws(() => limitMemory(Buffer.from('\0asm\x01\0\0\0\x05\x80', 'latin1'), 65_536), /ends/);
});

t.test('an idle thread is terminated, and closing terminates a busy one', async (t) => {
  const raster = createSvgRaster({
    timeoutMs: 60_000,
    waitMs: 60_000,
    maxMemoryBytes: 64 * 1024 * 1024,
    idleMs: 20,
  });
  const drawing = Buffer.from(svg(BOX, RECT));
  t.match(await raster.draw(drawing), { outcome: 'drawn' });
  // Longer than the idle timeout of the thread.
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.match(await raster.draw(drawing), { outcome: 'drawn' });
  t.equal(raster.stats().started, 2);
  const endless = raster.draw(
    Buffer.from(svg(BOX, filtered('<feGaussianBlur stdDeviation="9"/>'.repeat(3000)))),
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  await raster.close();
  t.match(await endless, { outcome: 'broken', reason: 'thread ended' });
});

t.test('slow SVGs of one account delay those of another account by one drawing', async (t) => {
  const fair = createLogoSource({ svgTimeoutMs: 200, svgWaitMs: 60_000 }, log);
  t.teardown(() => fair.close());
  const order: string[] = [];
  const bomb = (i: number) =>
    svgUri(BOX, `<g id="b${i}"/>${filtered('<feGaussianBlur stdDeviation="9"/>'.repeat(3000))}`);
  const hostile = Array.from({ length: 3 }, (_, i) =>
    fair.resolve(bomb(i), { accountId: 'hostile' }).finally(() => order.push(`bomb ${i}`)),
  );
  const honest = fair
    .resolve(svgUri('viewBox="0 0 100 10"', RECT), { accountId: 'honest' })
    .finally(() => order.push('honest'));
  t.equal(stageOf(await honest), 'ok');
  t.same((await Promise.all(hostile)).map(stageOf), ['svg', 'svg', 'svg']);
  t.same(order.slice(0, 2), ['bomb 0', 'honest']);
  t.match(fair.stats().svgs, { timedOut: 3, drawn: 1 });
});

t.test('every input becomes well-formed markup of known elements or a fault; none throws', async (t) => {
  const name = fc.constantFrom(
    ...'g rect use image style script text svg filter feImage a title x:y foreignObject path'.split(' '),
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '#a',
      'url(#a)',
      `url('#a')`,
      'url(/etc/passwd)',
      '1e9',
      '-1',
      '"><script>',
      '&lt;',
      '&#x41;',
      '<![CDATA[',
      'data:image/png;base64,iVBORw0KGgo=',
      'M0 0L9 9',
      'filter:blur(1px)',
    ),
  );
  const attribute = fc.tuple(
    fc.constantFrom(
      ...'id href xlink:href style fill d width x onload class transform filter xmlns:q q:href'.split(' '),
    ),
    value,
  );
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary', maxLength: 10 }),
      fc.constantFrom('&lt;script&gt;', '<style>a&gt;b{}&lt;/style&gt;&lt;script&gt;</style>'),
      fc
        .tuple(name, fc.array(attribute, { maxLength: 3 }), fc.array(tie('node'), { maxLength: 4 }))
        .map(
          ([tag, attributes, children]) =>
            `<${tag}${attributes.map(([key, text]) => ` ${key}="${text.replace(/["<&]/g, (c) => `&#${c.charCodeAt(0)};`)}"`).join('')}>${children.join('')}</${tag}>`,
        ),
    ),
  }));
  // Drawn at 1024 x 51 px, because a square would take twenty times as long.
  const flat = 'viewBox="0 0 100 5"';
  const document = fc.oneof(
    node.map((content) => svg(flat, content)),
    fc.tuple(node, fc.nat(), fc.string({ maxLength: 3 })).map(([content, at, junk]) => {
      const text = svg(flat, content);
      const cut = at % text.length;
      return text.slice(0, cut) + junk + text.slice(cut + 1);
    }),
    fc.string({ unit: 'binary', maxLength: 80 }).map((text) => `<${text}`),
  );
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(document, async (text) => {
      const read = readSvg(Buffer.from(text));
      const outcome = await source.resolve(dataUri('svg+xml', text), context);
      if (!read.ok) return !outcome.ok && outcome.fault.stage !== 'busy';
      accepted++;
      const markup = read.value.markup(10, 10);
      const again = readSvg(Buffer.from(markup));
      // A truncated document may contain `rl(/etc/passwd)`, which refers to nothing.
      const isClean = !/<(?:script|text|foreignObject|title)|\son\w+=|url\([^)]*etc\/passwd/i.test(markup);
      return isClean && again.ok && again.value.markup(10, 10) === markup && stageOf(outcome) !== 'busy';
    }),
    { numRuns: 500 },
  );
  t.ok(accepted > fewestOf(50), `${accepted} were accepted`);
});
