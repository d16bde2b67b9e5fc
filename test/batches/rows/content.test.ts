/** What templates may cost: each of their placeholders is filled in for every row. */
import t from 'tap';
import { createContent, planContent } from '../../../src/batches/rows/content.ts';

const places = (count: number) => Array.from({ length: count }, (_, i) => `{n${i % 50}}`).join('');

t.test('a design has at most 100 placeholders in all its templates', async (t) => {
  const gs1 = (count: number) => ({
    qrOptions: { gs1: 'element-string' as const },
    gs1: { columns: { lot: places(50), serial: places(count) } },
  });
  for (const options of [{ template: places(100) }, gs1(50)]) t.match(planContent(options), { ok: true });
  const message = 'must have at most 100 placeholders';
  t.strictSame(planContent({ template: places(101) }), { ok: false, fault: { field: 'template', message } });
  t.strictSame(planContent(gs1(51)), { ok: false, fault: { field: 'gs1.columns', message } });
});

t.test('a row is refused as soon as its text is too long', async (t) => {
  const message = 'must have at most 4296 characters';
  const columns = { lot: '{a}{a}{b}' };
  for (const [options, field, form] of [
    [{ template: '{a}{a}{b}' }, 'data', undefined],
    [{ qrOptions: { gs1: 'element-string' as const }, gs1: { columns } }, 'lot', 'element-string'],
  ] as const) {
    const plan = planContent(options);
    if (!plan.ok) throw new Error(plan.fault.message);
    const contentOf = createContent(plan.value, {});
    const filled = contentOf({ values: { a: 'x'.repeat(2200) } }, form, () => 0);
    t.strictSame(filled, { ok: false, fault: { field, message } }, 'what stands behind is not looked at');
  }
});
