/** What a person chooses of files for print, as the dashboard holds it. */
import fc from 'fast-check';
import t from 'tap';
import {
  BEGINNING,
  counts,
  FOR_SCREENS,
  faultOf,
  NUMBERS,
  type NumberName,
  type OptionName,
  type PrintChoice,
  parseChoice,
  toBatchOptions,
  toChoice,
  toChoiceFault,
  toOptions,
  toQuery,
  withOption,
} from '../../src/dashboard/screens/print/choice.ts';
import { captionNamesOf, captionOfFirst, namesInCaption } from '../../src/dashboard/screens/table/mapping.ts';
import { FileOptions, toFileSize } from '../../src/generate/request/file-options.ts';
import { FORMATS, FRAME_TYPES, namesOf } from '../../workers/lists.ts';
import { holds } from '../support/pictures/designs.ts';

const numberOf = (name: NumberName) => {
  const { min, max, step, mayBeEmpty } = NUMBERS[name];
  const value =
    step === 1 ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }).map((n) => n + 0);
  const text = value.map(String);
  return mayBeEmpty ? fc.oneof(fc.constant(''), text) : text;
};

const formats = fc.shuffledSubarray(namesOf(FORMATS), { minLength: 1 });
const oneOf = (...texts: readonly string[]) => fc.constantFrom('', ...texts);
const FLAG = oneOf('true');
const COLOR = oneOf('white', '#ffeecc');

const OPTIONS = {
  width: numberOf('width'),
  width_mm: numberOf('width_mm'),
  module_mm: numberOf('module_mm'),
  dpi: numberOf('dpi'),
  bleed_mm: numberOf('bleed_mm'),
  quiet_zone: numberOf('quiet_zone'),
  caption_mm: numberOf('caption_mm'),
  dieline_radius_mm: numberOf('dieline_radius_mm'),
  ...{ till: FLAG, overprint: FLAG, text: oneOf('gs1'), color: oneOf('cmyk'), round: oneOf('down') },
  ...{ paper: COLOR, caption_color: COLOR, frame_color: COLOR },
  ...{ spots: oneOf('1a4b8c=PANTONE 286 C'), dieline: oneOf('Cut'), white: oneOf('White') },
  ...{ varnish: oneOf('Gloss'), caption: oneOf('{name}', 'two\nlines'), allow: oneOf('cut', 'glyphs,cut') },
  ...{ caption_side: oneOf('above', 'beside'), caption_align: oneOf('left', 'center', 'right') },
  ...{ caption_weight: oneOf('bold'), frame: oneOf(...namesOf(FRAME_TYPES)) },
} satisfies Record<OptionName, fc.Arbitrary<string>>;

const choices: fc.Arbitrary<PrintChoice> = fc.record({
  formats,
  size: fc.constantFrom('px', 'mm', 'module'),
  options: fc.record(OPTIONS),
});

const onPaper = (said: PrintChoice['options'], beginning = BEGINNING): PrintChoice => ({
  ...beginning,
  options: { ...beginning.options, ...said },
});

t.test('every choice without faults asks for options that go together', async (t) => {
  holds(
    t,
    fc.property(choices, (choice) => {
      if (faultOf(choice) !== null) return true;
      const asked = toOptions(choice);
      return choice.formats.every((format) => toFileSize({ format, ...asked }).ok);
    }),
  );
});

t.test('what counts is asked for, and nothing else, whatever was typed before', async (t) => {
  holds(
    t,
    fc.property(choices, (choice) => {
      const asked = Object.keys(toOptions(choice)) as OptionName[];
      return asked.every((name) => name === 'round' || (counts(choice, name) && choice.options[name] !== ''));
    }),
  );
  t.strictSame(
    namesOf(FileOptions.properties)
      .filter((name) => name !== 'format')
      .sort(),
    namesOf(OPTIONS).sort(),
    'every option of a profile is one of the dialog',
  );
});

t.test('a choice that is kept as a profile comes back, as far as it counts', async (t) => {
  holds(
    t,
    fc.property(choices, ({ formats: [format = 'png'], ...rest }) => {
      const choice = { ...rest, formats: [format] };
      const asked = { format, ...toOptions(choice) };
      return JSON.stringify({ format, ...toOptions(toChoice(asked, choice)) }) === JSON.stringify(asked);
    }),
  );
  const other = { formats: ['eps'] } as const;
  const nothing = toChoice({}, other);
  t.match(nothing, { formats: ['eps'], size: 'px' }, 'a profile that says nothing');
  t.strictSame(toOptions(nothing), {});
  t.match(toChoice({ format: 'png', dpi: 300 }, other), {
    size: 'module',
    options: { module_mm: '0.8467', dpi: '300' },
  });
  t.match(toOptions(toChoice({ format: 'png', width_mm: 30 }, other)), { dpi: 300 }, 'what the service has');
  const film = { format: 'pdf', width_mm: 30, dpi: 2400, round: 'down', spots: '1a4b8c=Blue' } as const;
  t.strictSame({ format: 'pdf', ...toOptions(toChoice(film, other)) }, film);
  t.match(toChoice({ till: true }, other), { size: 'module', options: { module_mm: '0.508', till: 'true' } });
  const words = { caption: '{name}', caption_side: 'above', frame: 'line', allow: 'cut' } as const;
  t.match(toOptions(toChoice(words, other)), words, 'words have a size on paper');
  t.strictSame(toOptions(toChoice({ text: 'none', color: 'rgb', caption: '', till: false }, other)), {});
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
      return kept.formats.length > 0 && Object.values(kept.options).every((each) => typeof each === 'string');
    }),
  );
  t.strictSame(parseChoice(null, BEGINNING), BEGINNING);
  t.strictSame(parseChoice('{"formats":["gif"],"size":"mm","options":{}}', BEGINNING), BEGINNING);
  t.strictSame(parseChoice('{"formats":["png"],"size":"mm","widthMm":"40"}', BEGINNING), BEGINNING);
  const kept = {
    formats: ['png', 'gif'],
    size: 'mm',
    options: { width_mm: '40', dpi: 300, constructor: 'x' },
  };
  t.strictSame(parseChoice(JSON.stringify(kept), BEGINNING), {
    ...{ formats: ['png'], size: 'mm', options: { width_mm: '40' } },
  });
});

t.test('only the numbers that count are sent, and their faults are said beside them', async (t) => {
  const png = { ...onPaper({ bleed_mm: '3', color: 'cmyk' }), formats: ['png'] } as const;
  t.strictSame(toQuery(png), { width_mm: '30', dpi: '600', bleed_mm: '3', round: 'down' });
  t.strictSame(toQuery({ ...png, formats: ['pdf'] }), { width_mm: '30', bleed_mm: '3', color: 'cmyk' });
  t.strictSame(toQuery(withOption({ ...png, size: 'px' }, 'width', '600')), { width: '600' });
  t.match(faultOf(onPaper({ width_mm: '' })), { name: 'width_mm', text: 'Enter a number from 1 to 5,000.' });
  t.match(faultOf(withOption(png, 'dpi', '300.5')), { name: 'dpi', text: /^Enter a whole number from 72/ });
  t.equal(faultOf(onPaper({ dpi: 'x' })), null, 'a PDF has no dots');
});

t.test('what the service refuses is said at its field, in a sentence', async (t) => {
  for (const [details, name, text] of [
    ['width_mm: gives 9000 mm a side', 'width_mm', 'It gives 9000 mm a side.'],
    ['caption: {x} is not known', 'caption', '{x} is not known.'],
    ['Design.print.caption: names dpi', 'caption', 'It names dpi.'],
    ['spots: no part of the design has it', 'spots', 'No part of the design has it.'],
    ['data: is too long', null, 'data: is too long'],
  ] as const)
    t.strictSame(toChoiceFault({ message: 'm', details }), { name, text });
  t.strictSame(toChoiceFault({ message: 'Busy', details: '' }), { name: null, text: 'Busy' });
});

t.test('words and inks wait for what they need, and are kept meanwhile', async (t) => {
  const worded = onPaper({ caption: 'Menu', caption_side: 'above', caption_mm: '3', frame_color: 'red' });
  t.strictSame(toQuery(worded), {
    ...{ width_mm: '30', caption: 'Menu', caption_side: 'above', caption_mm: '3' },
  });
  const banner = withOption(worded, 'frame', 'banner-below');
  t.match(toQuery(banner), { frame: 'banner-below', frame_color: 'red', caption_side: undefined });
  t.match(faultOf(withOption(banner, 'caption', ' ')), { name: 'caption' }, 'a band needs a text');
  t.strictSame(toQuery({ ...banner, size: 'px' }), {}, 'they have a size on paper alone');
  const inked = onPaper({ spots: '1a4b8c=Blue', dieline: 'Cut', dieline_radius_mm: '2' });
  t.match(toQuery(inked), { spots: '1a4b8c=Blue', dieline_radius_mm: '2' });
  t.notMatch(toQuery({ ...inked, formats: ['svg'] }), { spots: /./ });
  t.match(faultOf({ ...inked, formats: ['pdf', 'png'] }), { name: 'spots', text: /^Only PDF and EPS/ });
  t.equal(faultOf({ ...inked, formats: ['pdf', 'eps'] }), null);
});

t.test('a batch takes a choice as its formats and the options of its rows', async (t) => {
  t.strictSame(toBatchOptions({ ...onPaper({ caption: '{seat}' }), formats: ['pdf', 'png'] }), {
    formats: ['pdf', 'png'],
    design: { print: { width_mm: 30, dpi: 600, caption: '{seat}', round: 'down' } },
  });
  t.strictSame(toBatchOptions({ ...onPaper({ width: '600' }, FOR_SCREENS), formats: ['svg'] }), {
    formats: ['svg'],
    design: { width: 600, height: 600 },
  });
});

t.test('captions of a batch name its columns and counters, and are tried with its first row', async (t) => {
  const read = {
    columns: ['Web', 'Title', 'Seat', 'dotsOptions.color', 'a:b'].map((name) => ({ name, field: null })),
    rows: [['https://example.com', 'Parquet', '7', 'red', 'x']],
  } as unknown as Parameters<typeof captionOfFirst>[1];
  const mapping = ['data', 'name', null, 'dotsOptions.color', null];
  t.strictSame(captionNamesOf(read, mapping, ['serial']), [...['content', 'name', 'Seat', 'serial']]);
  t.strictSame(namesInCaption('{name}: {Seat}, {serial:06} {content}'), ['Seat', 'serial']);
  t.equal(
    captionOfFirst('{name}: {Seat:03}, {serial:06} {content} {what}', read, mapping),
    'Parquet: 007, 000001 {content} {what}',
  );
});
