/** A picture is planned once: its plan stays right when a logo is found, and its thread draws by it. */
import fc from 'fast-check';
import t from 'tap';
import { planTask } from '../../src/generate/draw.ts';
import { planPicture, type Subject } from '../../src/generate/plan.ts';
import { createLogoFitter } from '../../src/logo/fit.ts';
import type { FoundLogo } from '../../src/logo/outcome.ts';
import { render } from '../../workers/render.ts';
import { ANY_SHADES, legalDesigns } from '../support/pictures/designs.ts';
import { logoOfSvg } from '../support/pictures/logo.ts';

const fitLogo = createLogoFitter(1_000_000);
const logo = logoOfSvg(
  '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20" fill="#123456"/></svg>',
);
const found: FoundLogo = { logo, sha256: 'a'.repeat(64) };

t.test('a plan at hand gives the same task, with and without a logo, and the same bytes', async () => {
  const pictures = fc.record({
    text: fc.string({ minLength: 1, maxLength: 60 }),
    design: legalDesigns(ANY_SHADES, ANY_SHADES),
    found: fc.constantFrom(found, null),
    format: fc.constantFrom('png' as const, 'svg' as const),
  });
  await fc.assert(
    fc.asyncProperty(pictures, async (picture: Subject) => {
      const plan = planPicture(picture.text, picture.design, null);
      fc.pre(plan.ok);
      const [afresh, planned] = await Promise.all([
        planTask(fitLogo, picture),
        planTask(fitLogo, { ...picture, plan: plan.value }),
      ]);
      if (JSON.stringify(afresh) !== JSON.stringify(planned)) throw new Error('the tasks differ');
      if (!planned.ok) return;
      const { plan: _, ...unplanned } = planned.value.task;
      const [byPlan, byThread] = [render(planned.value.task), render(unplanned)];
      if (!byPlan.ok || !byThread.ok || !Buffer.from(byPlan.value.bytes).equals(byThread.value.bytes))
        throw new Error('the pictures differ');
    }),
    { numRuns: 100 },
  );
});
