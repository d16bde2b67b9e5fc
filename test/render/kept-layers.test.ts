import sharp from 'sharp';
import t from 'tap';
import { planTask } from '../../src/generate/draw.ts';
import { scaleDesign } from '../../src/generate/redraw.ts';
import { toDesign } from '../../src/generate/request/design.ts';
import { createLogoFitter } from '../../src/logo/fit.ts';
import type { FoundLogo } from '../../src/logo/outcome.ts';
import { createKeptLayers } from '../../src/render/request.ts';

const fitLogo = createLogoFitter(1_000_000);
const gradient = {
  type: 'linear' as const,
  colorStops: [
    { offset: 0, color: '#000000' },
    { offset: 1, color: '#204080' },
  ],
};

const layersOf = async (
  text: string,
  options: Parameters<typeof toDesign>[0],
  format: 'png' | 'svg' = 'png',
  found: FoundLogo | null = null,
) => {
  // Scaled, so that the logo's margin is no whole number of pixels.
  const design = scaleDesign(toDesign(options), 1.01 * (options.width ?? 300));
  const planned = await planTask(fitLogo, { text, design, found, format });
  if (!planned.ok) throw new Error(planned.fault.message);
  return planned.value.layers ?? null;
};

t.test('layers are missing once, and again when threads have dropped them for others', (t) => {
  const kept = createKeptLayers(1_000_000);
  const layers = (key: string) => ({ key, estimatedMs: 50, bytes: 400_000 });
  t.equal(kept.missingMs(null), 0);
  t.equal(kept.missingMs(layers('a')), 50);
  t.equal(kept.missingMs(layers('a')), 0);
  t.equal(kept.missingMs(layers('b')), 50);
  t.equal(kept.missingMs(layers('c')), 50);
  t.equal(kept.missingMs(layers('a')), 50, 'b and c have taken its place');
  kept.forget(layers('a'));
  t.equal(kept.missingMs(layers('a')), 50, 'nobody has drawn them');
  t.equal(kept.missingMs({ ...layers('large'), bytes: 2_000_000 }), 50);
  t.equal(
    kept.missingMs({ ...layers('large'), bytes: 2_000_000 }),
    50,
    'what no thread keeps is drawn each time',
  );
  t.end();
});

t.test(
  'pictures of a style and a size share layers, whatever they encode; others have their own',
  async (t) => {
    const design = { width: 1000, height: 1000, dotsOptions: { gradient } };
    const first = await layersOf('https://example.com/1', design);
    t.ok(first !== null && first.estimatedMs > 20 && first.bytes >= 4_000_000);
    t.strictSame(await layersOf('https://example.com/2', design), first);
    for (const other of [
      { ...design, width: 990, height: 990 },
      { ...design, dotsOptions: { gradient: { ...gradient, rotation: 1 } } },
      { ...design, backgroundOptions: { round: 0.5 } },
    ])
      t.not((await layersOf('https://example.com/1', other))?.key, first?.key);
    t.equal(await layersOf('https://example.com/1', design, 'svg'), null);
    const png = await sharp({ create: { width: 30, height: 23, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    const found = { sha256: 'x', logo: { png: new Uint8Array(png), widthPx: 30, heightPx: 23 } };
    const withLogo = await layersOf(
      'https://example.com/1',
      { width: 300, height: 300, imageOptions: { margin: 3 } },
      'png',
      found,
    );
    t.equal(
      createKeptLayers(1_000_000).missingMs(withLogo),
      withLogo?.estimatedMs,
      'whatever the size of its logo',
    );
    t.equal(
      await layersOf('https://example.com/1', { width: 1000, height: 1000 }),
      null,
      'a plain picture has none',
    );
  },
);
