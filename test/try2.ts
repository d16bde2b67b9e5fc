import sharp from 'sharp';
import { render } from '../workers/render.ts';
import { toDesign } from '../src/generate/request/design.ts';
import { readSharp } from './support/readers.ts';
const mk = async (fill: string) => ({ png: await sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="${fill}"/></svg>`)).png().toBuffer(), widthPx: 100, heightPx: 100 });
for (const fill of ['#112233', '#dd3333', '#fff', '#999']) { const logo = await mk(fill);
for (const hide of [true, false]) for (const size of [.02,.05, .1, .15, .2, .3]) {
  const row: string[] = []; const pngs: Uint8Array[] = []; const gr: string[] = [];
  for (const v of [2,3,5,6,7,8,10,13,14,20]) for (const k of [1,2,3]) {
    const d = toDesign({ width: 500, height: 500, qrOptions: { typeNumber: v, errorCorrectionLevel: 'Q' }, imageOptions: { imageSize: size, hideBackgroundDots: hide } });
    const r = render({ text: 'https://ex.com/' + k, design: d, logo, format: 'png', report: true });
    if (!r.ok) { continue; }
    pngs.push(r.bytes); gr.push(`${v}:${r.quality!.parameters['fixed-patterns']}${r.grade}`);
  }
  const s = await readSharp(pngs);
  console.log(fill, hide, size, s.map((x, i) => `${gr[i]}${x.zxing ? '' : 'Z'}${x.zbar ? '' : 'B'}${x.jsqr ? '' : 'J'}`).join(' '));
} }
