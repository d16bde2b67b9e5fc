/** What a person chooses of files: their formats, their size in pixels or on paper, and what print needs. */
import { type FileFormat, FORMATS, FRAME_TYPES, namesOf } from '../../../../workers/lists.ts';
import { MM_PER_INCH, tillModuleMm } from '../../../../workers/print/dots.ts';
import type { FileOptions } from '../../api/shapes.ts';
import { say } from '../../words/say.ts';

export const FORMAT_CHOICES = namesOf(FORMATS).map((value) => [value, FORMATS[value].name] as const);

type Sizes = Omit<FileOptions, 'format'>;
/** A parameter of files, by the name that the service has for it. */
export type OptionName = keyof Sizes;

export interface PrintChoice {
  /** At least one; several only in an archive or a batch. */
  readonly formats: readonly FileFormat[];
  /** What decides the size: the width in pixels, that on paper, or that of a module. */
  readonly size: 'px' | 'mm' | 'module';
  /** As they are typed, also those that do not count for this size and these formats; '' leaves one to the service. */
  readonly options: Readonly<Partial<Record<OptionName, string>>>;
}

/** For print: a PDF as wide as codes on flyers are. */
export const BEGINNING: PrintChoice = {
  formats: ['pdf'],
  size: 'mm',
  options: { width_mm: '30', module_mm: '0.508', dpi: '600' },
};

/** For screens: as it was designed. */
export const FOR_SCREENS: PrintChoice = { ...BEGINNING, formats: ['png'], size: 'px' };

/** What the fields of numbers may hold. */
export const NUMBERS = {
  width: { min: 50, max: 2000, step: 1, mayBeEmpty: true },
  width_mm: { min: 1, max: 5000, step: 'any', mayBeEmpty: false },
  module_mm: { min: 0.1, max: 50, step: 'any', mayBeEmpty: false },
  dpi: { min: 72, max: 2400, step: 1, mayBeEmpty: false },
  bleed_mm: { min: 0, max: 20, step: 'any', mayBeEmpty: true },
  quiet_zone: { min: 0, max: 20, step: 'any', mayBeEmpty: true },
  caption_mm: { min: 0.9, max: 200, step: 'any', mayBeEmpty: true },
  dieline_radius_mm: { min: 0, max: 500, step: 'any', mayBeEmpty: true },
} as const;
export type NumberName = keyof typeof NUMBERS;

/** Returns what was typed. */
export const textOf = ({ options }: PrintChoice, name: OptionName): string => options[name]?.trim() ?? '';

export const withOption = (choice: PrintChoice, name: OptionName, text: string): PrintChoice => ({
  ...choice,
  options: { ...choice.options, [name]: text },
});

type Counts = (choice: PrintChoice) => boolean;

const isPlate = (format: FileFormat): boolean => format === 'pdf' || format === 'eps';

export const isOnPaper: Counts = ({ size }) => size !== 'px';
export const hasBitmap: Counts = ({ formats }) => formats.some((format) => FORMATS[format].isBitmap);
/** Whether a format has colours and inks of printers. */
export const hasInks: Counts = ({ formats }) => formats.some(isPlate);
export const isEps: Counts = ({ formats }) => formats.includes('eps');
const hasCaption: Counts = (choice) => isOnPaper(choice) && textOf(choice, 'caption') !== '';
const hasFrame: Counts = (choice) => isOnPaper(choice) && textOf(choice, 'frame') !== '';

/** Whether the frame has a band, in which the caption stands. */
const hasBand: Counts = (choice) =>
  hasFrame(choice) &&
  namesOf(FRAME_TYPES).some((type) => type === textOf(choice, 'frame') && FRAME_TYPES[type].banner);

/** Which options count in a choice. */
const COUNTS: Readonly<Record<OptionName, Counts>> = {
  width: ({ size }) => size === 'px',
  width_mm: ({ size }) => size === 'mm',
  module_mm: ({ size }) => size === 'module',
  dpi: (choice) => isOnPaper(choice) && (hasBitmap(choice) || textOf(choice, 'round') !== ''),
  round: (choice) => isOnPaper(choice) && !hasBitmap(choice),
  bleed_mm: isOnPaper,
  quiet_zone: isOnPaper,
  text: isOnPaper,
  till: isOnPaper,
  caption: isOnPaper,
  caption_side: (choice) => hasCaption(choice) && !hasBand(choice),
  caption_mm: hasCaption,
  caption_align: hasCaption,
  caption_weight: hasCaption,
  caption_color: hasCaption,
  allow: hasCaption,
  frame: isOnPaper,
  frame_color: hasFrame,
  color: hasInks,
  paper: isEps,
  spots: hasInks,
  overprint: hasInks,
  dieline: hasInks,
  dieline_radius_mm: (choice) => hasInks(choice) && textOf(choice, 'dieline') !== '',
  white: hasInks,
  varnish: hasInks,
};

/** Those that other formats refuse. */
export const INKS = ['spots', 'overprint', 'dieline', 'white', 'varnish'] as const;
export const WORDS = ['caption', 'frame'] as const;

/** Returns which options count and are not left to the service. */
const saidIn = (choice: PrintChoice): OptionName[] =>
  namesOf(COUNTS).filter((name) => COUNTS[name](choice) && textOf(choice, name) !== '');

/** Whether an option counts, so that it is asked for. */
export const counts = (choice: PrintChoice, name: OptionName): boolean => COUNTS[name](choice);

/** Whether one of the options counts and is not left to the service. */
export const isUsed = (choice: PrintChoice, names: readonly OptionName[]): boolean =>
  saidIn(choice).some((name) => names.includes(name));

/** What is wrong with a choice: the option, `null` for all of it, and the words. */
export interface ChoiceFault {
  readonly name: OptionName | null;
  readonly text: string;
}

/** Returns what the page can find wrong before it asks the service; `null` when it finds nothing. */
export const faultOf = (choice: PrintChoice): ChoiceFault | null => {
  for (const name of namesOf(NUMBERS)) {
    if (!COUNTS[name](choice)) continue;
    const { min, max, step, mayBeEmpty } = NUMBERS[name];
    const text = textOf(choice, name);
    const value = Number(text);
    if (text === '' ? mayBeEmpty : value >= min && value <= max && (step !== 1 || Number.isInteger(value)))
      continue;
    return {
      name,
      text:
        step === 1
          ? say('Enter a whole number from {min} to {max}.', { min, max })
          : say('Enter a number from {min} to {max}.', { min, max }),
    };
  }
  if (hasBand(choice) && !hasCaption(choice))
    return { name: 'caption', text: say('Write the text that stands in the band of the frame.') };
  const ink = choice.formats.every(isPlate) ? undefined : INKS.find((name) => isUsed(choice, [name]));
  return ink === undefined
    ? null
    : { name: ink, text: say('Only PDF and EPS have it: leave it empty, or choose these formats alone.') };
};

/** Returns what the service found wrong with a choice, at its field where the service names one. */
export const toChoiceFault = ({
  details,
  message,
}: Readonly<Record<'details' | 'message', string>>): ChoiceFault => {
  const [, name = '', text = ''] = /^(?:Design\.)?(?:print\.)?(\w+): (.*)$/s.exec(details) ?? [];
  if (!Object.hasOwn(COUNTS, name)) return { name: null, text: details || message };
  const isOfField = /^(must|gives|needs|names|has|is) /.test(text);
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  return { name: name as OptionName, text: isOfField ? say('It {text}.', { text }) : sentence };
};

/** Those that are asked for or not. */
const FLAGS: readonly OptionName[] = ['till', 'overprint'];
export const isNumber = (name: OptionName): name is NumberName => Object.hasOwn(NUMBERS, name);

/** Returns a choice without faults as options of files, without their formats. */
export const toOptions = (choice: PrintChoice): Sizes => {
  const said = saidIn(choice).map((name) => {
    const text = textOf(choice, name);
    return [name, isNumber(name) ? Number(text) : FLAGS.includes(name) || text];
  });
  return {
    ...(Object.fromEntries(said) as Sizes),
    // Bitmaps have whole dots: the largest that fit.
    ...(isOnPaper(choice) && hasBitmap(choice) && { round: 'down' }),
  };
};

/** What the service takes for granted, in options that a profile may say all the same. */
const USUAL: Sizes = {
  color: 'rgb',
  text: 'none',
  frame: 'none',
  round: 'none',
  till: false,
  overprint: false,
};

/** The options of which each gives a file a size on paper. */
const ON_PAPER = [
  ...(['module_mm', 'dpi', 'quiet_zone', 'bleed_mm'] as const),
  ...(['text', 'till', 'caption', 'frame'] as const),
];

/** The side of a module that the service takes when nobody says a size on paper. */
const usualModule = ({ dpi = 300, till }: Sizes): string =>
  String(Math.ceil((till ? tillModuleMm(dpi) : (10 * MM_PER_INCH) / dpi) * 1e4) / 1e4);

/** Returns the choice that a profile stands for. @param formats Taken when it names none. */
export const toChoice = (
  { format, ...options }: FileOptions,
  { formats }: Pick<PrintChoice, 'formats'>,
): PrintChoice => {
  const all = format === undefined ? formats : [format];
  const isSaid = (name: OptionName): boolean =>
    options[name] !== USUAL[name] && !(name === 'round' && hasBitmap({ ...BEGINNING, formats: all }));
  const said: PrintChoice['options'] = Object.fromEntries(
    namesOf(COUNTS)
      .filter((name) => options[name] !== undefined && isSaid(name))
      .map((name) => [name, String(options[name])]),
  );
  const isSized = ON_PAPER.some((name) => said[name]);
  return {
    formats: all,
    size: said.width_mm !== undefined ? 'mm' : isSized ? 'module' : 'px',
    options: { ...BEGINNING.options, dpi: '300', module_mm: usualModule(options), ...said },
  };
};

/** Returns a choice as a query, without its formats. */
export const toQuery = (choice: PrintChoice): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(toOptions(choice)).map(([name, value]) => [name, String(value)]));

/** Returns a choice as what a batch takes: its formats, and options of all rows. */
export const toBatchOptions = (choice: PrintChoice) => {
  const { width, ...print } = toOptions(choice);
  return {
    formats: choice.formats,
    design: {
      ...(width !== undefined && { width, height: width }),
      ...(Object.keys(print).length > 0 && { print }),
    },
  };
};

/** Returns the choice that was kept as a text, as far as it is one. */
export const parseChoice = (text: string | null, beginning: PrintChoice): PrintChoice => {
  try {
    const { formats, size, options }: PrintChoice = JSON.parse(text ?? '{}');
    const known = namesOf(FORMATS).filter((format) => formats.includes(format));
    const said = namesOf(COUNTS).filter((name) => typeof options[name] === 'string');
    if (known.length === 0 || !['px', 'mm', 'module'].includes(size)) return beginning;
    return { formats: known, size, options: Object.fromEntries(said.map((name) => [name, options[name]])) };
  } catch {
    return beginning;
  }
};
