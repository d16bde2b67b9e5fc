/** What keys do, and what the palette offers for a text. */
import fc from 'fast-check';
import t from 'tap';
import { ACTIONS, afterKey, fitting, grouped, SCREENS } from '../../src/dashboard/palette/commands.ts';
import { actOf, GO, type Press } from '../../src/dashboard/palette/shortcuts.ts';

const press = (key: string, more: Partial<Press> = {}): Press => ({
  ...{ key, isCommand: false, isAlt: false, isTyping: false, isInDialog: false },
  ...more,
});

t.test('keys search, list the shortcuts and go to screens', async (t) => {
  t.equal(actOf(press('k', { isCommand: true }), false, true), 'palette');
  t.equal(actOf(press('K', { isCommand: true, isTyping: true }), false, false), 'palette');
  t.equal(actOf(press('/'), false, true), 'search');
  t.equal(actOf(press('?'), false, true), 'help');
  t.equal(actOf(press('g'), false, true), 'prefix');
  for (const [key, , path] of GO) t.strictSame(actOf(press(key), true, true), { path });
  t.equal(actOf(press('x'), true, true), null);
});

const anyPress = fc.record({
  key: fc.oneof(fc.constantFrom('/', '?', 'g', 'k', 'h', 'Enter', 'Escape'), fc.string({ maxLength: 2 })),
  isCommand: fc.boolean(),
  isAlt: fc.boolean(),
  isTyping: fc.boolean(),
  isInDialog: fc.boolean(),
});

t.test(
  'while somebody types, only the key of the palette does anything; in a dialog, none does',
  async () => {
    fc.assert(
      fc.property(anyPress, fc.boolean(), fc.boolean(), (pressed, isAfterPrefix, hasSingleKeys) => {
        const act = actOf(pressed, isAfterPrefix, hasSingleKeys);
        if (pressed.isInDialog || pressed.isAlt) return act === null;
        const isQuiet = pressed.isTyping || pressed.isCommand || !hasSingleKeys;
        return act === null || act === 'palette' || !isQuiet;
      }),
    );
  },
);

t.test('what is typed finds commands by the beginnings of their words', async (t) => {
  const first = (text: string) => fitting([...ACTIONS, ...SCREENS], text)[0]?.title;
  t.equal(first('new c'), 'New code');
  t.equal(first('upload'), 'New batch');
  t.equal(first('WEBH'), 'Webhooks');
  t.equal(first('add we'), 'Add a webhook');
  t.equal(first('bin'), 'Bin');
  t.equal(first('dns'), 'Domains');
  t.strictSame(fitting(SCREENS, 'no such screen'), []);
  t.equal(fitting(SCREENS, ' ').length, SCREENS.length);
});

t.test('every command is found by its own title, and grouping loses none', async (t) => {
  const all = [...ACTIONS, ...SCREENS];
  for (const command of all) t.equal(fitting(all, command.title)[0], command, command.title);
  const lines = grouped(all).flatMap(([, commands]) => commands);
  t.strictSame(new Set(lines), new Set(all));
});

t.test('arrow keys lead to every line, and from the last to the first', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 59 }), (count, from) => {
      const at = from % count;
      const down = afterKey('ArrowDown', at, count)!;
      const pages = ['PageUp', 'PageDown'].map((key) => afterKey(key, at, count)!);
      return (
        afterKey('ArrowUp', down, count) === at && [down, ...pages].every((each) => each >= 0 && each < count)
      );
    }),
  );
});
