/** What a person chooses of files: their formats, their size in pixels or on paper, and what print needs. */
import { type FileFormat, FORMATS, namesOf } from '../../../../workers/lists.ts';
import { MM_PER_INCH, tillModuleMm } from '../../../../workers/print/dots.ts';
import type { FileOptions } from '../../api/shapes.ts';
import { say } from '../../words/say.ts';

export const FORMAT_CHOICES = namesOf(FORMATS).map((value) => [value, FORMATS[value].name] as const);

/** As it is typed: numbers are texts, and '' leaves them to the service. */
export interface PrintChoice {
  /** At least one; several only in an archive or a batch. */
  readonly formats: readonly FileFormat[];
  /** What decides the size: the width in pixels, that on paper, or that of a module. */
  readonly size: 'px' | 'mm' | 'module';
  readonly widthPx: string;
  readonly widthMm: string;
  readonly moduleMm: string;
  readonly dpi: string;
  readonly bleedMm: string;
  readonly quietZone: string;
  readonly isCmyk: boolean;
  /** The colour behind translucent parts of an EPS. */
  readonly paper: string;
  /** Whether the numbers of GS1 codes stand below them, and whether tills must read them. */
  readonly hasText: boolean;
  readonly isForTills: boolean;
  /** Options of a profile that have no field here: they apply as they are. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** For print: a PDF as wide as codes on flyers are. */
export const BEGINNING: PrintChoice = {
  formats: ['pdf'],
  size: 'mm',
  widthPx: '',
  widthMm: '30',
  moduleMm: '0.508',
  dpi: '600',
  bleedMm: '',
  quietZone: '',
  isCmyk: false,
  paper: '',
  hasText: false,
  isForTills: false,
  others: {},
};

/** For screens: as it was designed. */
export const FOR_SCREENS: PrintChoice = { ...BEGINNING, formats: ['png'], size: 'px' };

/** The fields of numbers, and what each may be. */
export const NUMBERS = {
  widthPx: { parameter: 'width', min: 50, max: 2000, step: 1, mayBeEmpty: true },
  widthMm: { parameter: 'width_mm', min: 1, max: 5000, step: 'any', mayBeEmpty: false },
  moduleMm: { parameter: 'module_mm', min: 0.1, max: 50, step: 'any', mayBeEmpty: false },
  dpi: { parameter: 'dpi', min: 72, max: 2400, step: 1, mayBeEmpty: false },
  bleedMm: { parameter: 'bleed_mm', min: 0, max: 20, step: 'any', mayBeEmpty: true },
  quietZone: { parameter: 'quiet_zone', min: 0, max: 20, step: 'any', mayBeEmpty: true },
} as const;
export type NumberName = keyof typeof NUMBERS;

export const hasBitmap = ({ formats }: PrintChoice): boolean =>
  formats.some((format) => FORMATS[format].isBitmap);

/** Whether a format has colours of printers. */
export const mayBeCmyk = ({ formats }: PrintChoice): boolean =>
  formats.some((format) => format === 'pdf' || format === 'eps');

export const isEps = ({ formats }: PrintChoice): boolean => formats.includes('eps');

/** Returns the numbers that count. */
export const numbersOf = (choice: PrintChoice): readonly NumberName[] => {
  if (choice.size === 'px') return ['widthPx'];
  const side = choice.size === 'mm' ? 'widthMm' : 'moduleMm';
  return [side, ...(hasBitmap(choice) ? (['dpi'] as const) : []), 'bleedMm', 'quietZone'];
};

/** What is wrong with a choice: the field, `null` for all of it, and the words. */
export interface ChoiceFault {
  readonly name: NumberName | null;
  readonly text: string;
}

/** Returns what the page can find wrong before it asks the service; `null` when it finds nothing. */
export const faultOf = (choice: PrintChoice): ChoiceFault | null => {
  for (const name of numbersOf(choice)) {
    const { min, max, step, mayBeEmpty } = NUMBERS[name];
    const text = choice[name].trim();
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
  return null;
};

/** Returns what the service found wrong with a choice, at its field where the service names one. */
export const toChoiceFault = ({
  details,
  message,
}: Readonly<Record<'details' | 'message', string>>): ChoiceFault => {
  const [, parameter, text] = /^(\w+): (.*)$/s.exec(details) ?? [];
  const name = (Object.keys(NUMBERS) as NumberName[]).find((each) => NUMBERS[each].parameter === parameter);
  return name === undefined
    ? { name: null, text: details || message }
    : { name, text: say('It {text}.', { text }) };
};

type Sizes = Omit<FileOptions, 'format'>;

/** Returns a choice without faults as options of files, without their formats. */
export const toOptions = (choice: PrintChoice): Sizes => {
  const numbers = numbersOf(choice)
    .filter((name) => choice[name].trim() !== '')
    .map((name) => [NUMBERS[name].parameter, Number(choice[name])]);
  const isOnPaper = choice.size !== 'px';
  return {
    ...(choice.others as Sizes),
    ...(Object.fromEntries(numbers) as Sizes),
    // Bitmaps have whole dots: the largest that fit.
    ...(isOnPaper && hasBitmap(choice) && { round: 'down' }),
    ...(isOnPaper && choice.hasText && { text: 'gs1' }),
    ...(isOnPaper && choice.isForTills && { till: true }),
    ...(mayBeCmyk(choice) && choice.isCmyk && { color: 'cmyk' }),
    ...(isEps(choice) && choice.paper.trim() !== '' && { paper: choice.paper.trim() }),
  };
};

const MM_OPTIONS = ['dpi', 'quiet_zone', 'bleed_mm', 'text', 'till'] as const;

/** The side of a module that the service takes when nobody says a size on paper. */
const usualModule = ({ dpi = 300, till }: FileOptions): string =>
  String(Math.ceil((till ? tillModuleMm(dpi) : (10 * MM_PER_INCH) / dpi) * 1e4) / 1e4);

const WITH_FIELDS: readonly string[] = [
  ...Object.values(NUMBERS).map(({ parameter }) => parameter),
  ...['text', 'till', 'color', 'paper'],
];

/** Returns the options without a field. `round` is what bitmaps have anyway. */
const othersOf = (options: object, formats: PrintChoice['formats']): PrintChoice['others'] => {
  const isSeen = (name: string): boolean =>
    WITH_FIELDS.includes(name) || (name === 'round' && formats.some((format) => FORMATS[format].isBitmap));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !isSeen(name)));
};

const sizeOf = (options: FileOptions): PrintChoice['size'] => {
  if (options.width_mm !== undefined) return 'mm';
  const isOnPaper = options.module_mm !== undefined || MM_OPTIONS.some((name) => options[name] !== undefined);
  return isOnPaper ? 'module' : 'px';
};

/** Returns the choice that a profile stands for. @param formats Taken when it names none. */
export const toChoice = (
  { format, ...options }: FileOptions,
  { formats }: Pick<PrintChoice, 'formats'>,
): PrintChoice => {
  const said = (Object.keys(NUMBERS) as NumberName[]).flatMap((name) => {
    const value = options[NUMBERS[name].parameter];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const all = format === undefined ? formats : [format];
  return {
    ...BEGINNING,
    moduleMm: usualModule(options),
    ...Object.fromEntries(said),
    formats: all,
    size: sizeOf(options),
    paper: options.paper ?? '',
    isCmyk: options.color === 'cmyk',
    hasText: options.text === 'gs1',
    isForTills: options.till === true,
    others: othersOf(options, all),
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
    const kept: Readonly<Record<string, unknown>> = JSON.parse(text ?? '{}');
    const known = Object.entries(beginning).filter(([name, value]) => typeof kept[name] === typeof value);
    const choice = { ...beginning, ...Object.fromEntries(known.map(([name]) => [name, kept[name]])) };
    const formats = namesOf(FORMATS).filter((format) =>
      (choice.formats as readonly string[]).includes(format),
    );
    const isWhole = formats.length > 0 && ['px', 'mm', 'module'].includes(choice.size);
    return isWhole ? { ...choice, formats } : beginning;
  } catch {
    return beginning;
  }
};
