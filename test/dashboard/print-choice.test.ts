/** What a person chooses of files for print, as the dashboard holds it. */
import fc from 'fast-check';
import t from 'tap';
import {
  BEGINNING,
  faultOf,
  NUMBERS,
  type NumberName,
  numbersOf,
  type PrintChoice,
  parseChoice,
  toBatchOptions,
  toChoice,
  toChoiceFault,
  toOptions,
  toQuery,
} from '../../src/dashboard/screens/print/choice.ts';
import { toFileSize } from '../../src/generate/request/file-options.ts';
import { FORMATS, namesOf } from '../../workers/lists.ts';
import { holds } from '../support/pictures/designs.ts';

const numberOf = (name: NumberName) => {
  const { min, max, step, mayBeEmpty } = NUMBERS[name];
  const value =
    step === 1 ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }).map((n) => n + 0);
  const text = value.map(String);
  return mayBeEmpty ? fc.oneof(fc.constant(''), text) : text;
};

const formats = fc.shuffledSubarray(namesOf(FORMATS), { minLength: 1 });

const choices: fc.Arbitrary<PrintChoice> = fc.record({
  formats,
  size: fc.constantFrom('px', 'mm', 'module'),
  widthPx: numberOf('widthPx'),
  widthMm: numberOf('widthMm'),
  moduleMm: numberOf('moduleMm'),
  dpi: numberOf('dpi'),
  bleedMm: numberOf('bleedMm'),
  quietZone: numberOf('quietZone'),
  isCmyk: fc.boolean(),
  paper: fc.constantFrom('', 'white', '#ffeecc'),
  hasText: fc.boolean(),
  isForTills: fc.boolean(),
  others: fc.constantFrom({}, { dieline: 'Cut' }),
});

t.test('every choice without faults asks for options that go together', async (t) => {
  holds(
    t,
    fc.property(choices, (choice) => faultOf(choice) === null && toFileSize(toOptions(choice)).ok),
  );
});

t.test('a choice that is kept as a profile comes back, as far as it counts', async (t) => {
  holds(
    t,
    fc.property(choices, ({ formats: [format = 'png'], ...rest }) => {
      const choice = { ...rest, formats: [format] };
      const options = { format, ...toOptions(choice) };
      return JSON.stringify({ format, ...toOptions(toChoice(options, choice)) }) === JSON.stringify(options);
    }),
  );
  const other = { formats: ['eps'] } as const;
  t.match(toChoice({}, other), { formats: ['eps'], size: 'px', widthPx: '' }, 'a profile that says nothing');
  t.match(toChoice({ format: 'png', dpi: 300 }, other), { size: 'module', moduleMm: '0.8467', dpi: '300' });
  const film = { format: 'pdf', width_mm: 30, round: 'down', spots: '1a4b8c=Blue' } as const;
  t.strictSame(toOptions(toChoice(film, other)), { width_mm: 30, round: 'down', spots: '1a4b8c=Blue' });
  t.match(toChoice({ till: true }, other), { size: 'module', moduleMm: '0.508', isForTills: true });
});

t.test('a choice that the browser has kept is taken as far as it is one', async (t) => {
  holds(
    t,
    fc.property(choices, (choice) => {
      const kept = parseChoice(JSON.stringify(choice), BEGINNING);
      return JSON.stringify(toOptions(kept)) === JSON.stringify(toOptions(choice));
    }),
  );
  holds(
    t,
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const kept = parseChoice(text, BEGINNING);
      return kept.formats.length > 0 && toFileSize(toOptions({ ...kept, size: 'px', widthPx: '' })).ok;
    }),
  );
  t.strictSame(parseChoice(null, BEGINNING), BEGINNING);
  t.strictSame(parseChoice('{"formats":["gif"],"dpi":"300"}', BEGINNING), BEGINNING);
  t.match(parseChoice('{"dpi":"300","widthMm":40}', BEGINNING), { dpi: '300', widthMm: '30' });
});

t.test('only the numbers that count are sent, and their faults are said beside them', async (t) => {
  const png = { ...BEGINNING, formats: ['png'], bleedMm: '3', isCmyk: true } as const;
  t.strictSame(toQuery(png), { width_mm: '30', dpi: '600', bleed_mm: '3', round: 'down' });
  t.strictSame(toQuery({ ...png, formats: ['pdf'] }), { width_mm: '30', bleed_mm: '3', color: 'cmyk' });
  t.strictSame(toQuery({ ...png, size: 'px', widthPx: '600' }), { width: '600' });
  t.strictSame(numbersOf({ ...BEGINNING, size: 'module' }), ['moduleMm', 'bleedMm', 'quietZone']);
  t.match(faultOf({ ...BEGINNING, widthMm: '' }), {
    name: 'widthMm',
    text: 'Enter a number from 1 to 5,000.',
  });
  t.match(faultOf({ ...png, dpi: '300.5' }), { name: 'dpi', text: /^Enter a whole number from 72/ });
  t.equal(faultOf({ ...BEGINNING, dpi: 'x' }), null, 'a PDF has no dots');
  t.match(toChoiceFault({ message: 'Invalid query', details: 'width_mm: gives 9000 mm a side' }), {
    name: 'widthMm',
    text: 'It gives 9000 mm a side.',
  });
  t.match(toChoiceFault({ message: 'm', details: 'data: is too long' }), { name: null, text: /^data: / });
});

t.test('a batch takes a choice as its formats and the options of its rows', async (t) => {
  t.strictSame(toBatchOptions({ ...BEGINNING, formats: ['pdf', 'png'] }), {
    formats: ['pdf', 'png'],
    design: { print: { width_mm: 30, dpi: 600, round: 'down' } },
  });
  t.strictSame(toBatchOptions({ ...BEGINNING, formats: ['svg'], size: 'px', widthPx: '600' }), {
    formats: ['svg'],
    design: { width: 600, height: 600 },
  });
});
