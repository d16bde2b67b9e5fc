/** The grade samples the middle of modules, so it does not see every shape that readers miss: they read each style here. */
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import { DOT_TYPES, namesOf } from '../../../workers/lists.ts';
import { render } from '../../../workers/render.ts';
import { readSharp } from '../../support/pictures/readers.ts';

const TEXT = 'https://example.com/abc';

for (const type of namesOf(DOT_TYPES)) {
  t.test(`sharp pictures in the dot style ${type} are read unless their grade is below 3`, async (t) => {
    for (const widthPx of [160, 230, 410, 900]) {
      for (const roundSize of [true, false]) {
        const what = `${widthPx} px, roundSize ${roundSize}`;
        const design = toDesign({ width: widthPx, height: widthPx, dotsOptions: { type, roundSize } });
        const drawn = render({ text: TEXT, design, logo: null, format: 'png' });
        if (!drawn.ok) throw new Error(drawn.fault.message);
        const isLow = drawn.value.grade < 3;
        t.notOk(isLow && roundSize, `${what}: ${drawn.value.warnings}`);
        if (isLow) continue;
        const [sight] = await readSharp([drawn.value.bytes]);
        t.equal(sight?.zxing, TEXT, `ZXing, ${what}`);
        t.equal(sight?.zbar, TEXT, `zbar, ${what}`);
      }
    }
  });
}
