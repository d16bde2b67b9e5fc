/** What a person chooses of a file: its format, its size in pixels or on paper, and what tills need. */
import { type FileFormat, FORMATS, namesOf } from '../../../../workers/lists.ts';

/** Whether tills must read it, and whether its numbers are printed below it for people. */
export interface TillChoice {
  readonly till: boolean;
  readonly text: boolean;
}

/** A code that is not a GS1 code. */
export const NOT_FOR_TILLS: TillChoice = { till: false, text: false };

/** Returns the choice as the options of a batch. */
export const toPrint = ({ till, text }: TillChoice) => ({
  ...(till && { till }),
  ...(text && { text: 'gs1' as const }),
});

export const toQueryParameters = (choice: TillChoice): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(toPrint(choice)).map(([name, value]) => [name, String(value)]));

export const FORMAT_CHOICES = namesOf(FORMATS).map((value) => [value, FORMATS[value].name] as const);

/** As it is typed: numbers are texts. */
export interface FileChoice extends TillChoice {
  readonly format: FileFormat;
  /** `mm`: in print, by the size of a module. */
  readonly unit: 'px' | 'mm';
  readonly widthPx: string;
  readonly moduleMm: string;
  /** Counts for PNG and WebP in `mm`. */
  readonly dpi: string;
}

/** The fields of numbers, and what each may be. */
export const NUMBERS = {
  widthPx: { parameter: 'width', min: 50, max: 2000, step: 1 },
  moduleMm: { parameter: 'module_mm', min: 0.1, max: 50, step: 'any' },
  dpi: { parameter: 'dpi', min: 72, max: 2400, step: 1 },
} as const;
export type NumberName = keyof typeof NUMBERS;

/** A module is half a millimetre, and 6 dots at 300 dpi or 12 at 600, which bitmaps need. */
export const FOR_PRINT = { unit: 'mm', moduleMm: '0.508', dpi: '600' } as const;

export const numbersOf = (choice: FileChoice): readonly NumberName[] => {
  if (choice.unit === 'px') return ['widthPx'];
  return FORMATS[choice.format].isBitmap ? ['moduleMm', 'dpi'] : ['moduleMm'];
};

/** What is wrong with a choice: the field, `null` for all of it, and the words. */
export interface ChoiceFault {
  readonly name: NumberName | null;
  readonly text: string;
}

/** Returns what the page can find wrong before it asks the service; `null` when it finds nothing. */
export const faultOf = (choice: FileChoice, names = numbersOf(choice)): ChoiceFault | null => {
  for (const name of names) {
    const { min, max, step } = NUMBERS[name];
    const value = Number(choice[name]);
    const isRight = choice[name].trim() !== '' && value >= min && value <= max;
    if (!isRight || (step === 1 && !Number.isInteger(value))) {
      return { name, text: `Enter ${step === 1 ? 'a whole number' : 'a number'} from ${min} to ${max}.` };
    }
  }
  return null;
};

type FaultWords = Readonly<Record<'details' | 'message', string>>;

/** Returns what the service found wrong with a choice, at its field where the service names one. */
export const toChoiceFault = ({ details, message }: FaultWords): ChoiceFault => {
  const [, parameter, text] = /^(\w+): (.*)$/s.exec(details) ?? [];
  const name = (Object.keys(NUMBERS) as NumberName[]).find((each) => NUMBERS[each].parameter === parameter);
  return name === undefined ? { name: null, text: message } : { name, text: `It ${text}.` };
};

export const toQuery = (choice: FileChoice, names = numbersOf(choice)): string => {
  const numbers = names.map((name) => [NUMBERS[name].parameter, choice[name].trim()]);
  const forTills = choice.unit === 'mm' ? toQueryParameters(choice) : {};
  return new URLSearchParams({ ...Object.fromEntries(numbers), ...forTills }).toString();
};
