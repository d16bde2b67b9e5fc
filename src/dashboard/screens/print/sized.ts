/** What a file will be: its size, its grade, and what is too small, as the service says before anybody downloads it. */
import { FORMATS, PARAMETERS, type ParameterName } from '../../../../workers/lists.ts';
import { askRaw, type Fault, fileNameOf, postJson } from '../../api/client.ts';
import { ONCE, useRead } from '../../api/query.ts';
import type { Check, Grade, QrRequest } from '../../api/shapes.ts';
import { formatNumber } from '../../ui/format.ts';
import { useSettled } from '../../ui/hooks.ts';
import { say } from '../../words/say.ts';
import { inPlainWords } from '../designer/hints.ts';
import { faultOf, type PrintChoice, toQuery } from './choice.ts';

/** What a choice is tried on: a saved code, whose files are free, or a design, of which only the grade is. */
export type Sample =
  | { readonly kind: 'code'; readonly id: string }
  | { readonly kind: 'design'; readonly request: QrRequest };

export interface Sized {
  readonly grade: Grade;
  /** Names of parameters below 4, with their figures: `small-modules;v=0.28`. */
  readonly warnings: readonly string[];
  /** In millimetres; `null` in pixels. */
  readonly sizeMm: { readonly width: number; readonly height: number; readonly module: number } | null;
  /** That of a saved code. */
  readonly file: { readonly name: string; readonly blob: Blob } | null;
}

const PAUSE_MS = 300;
/** Modules of this side are read by phones at arm's length. */
const PHONE_MODULE_MM = 0.33;

const sizeIn = (headers: Headers): Sized['sizeMm'] => {
  const [, width, height, module] =
    /^width=([\d.]+), height=([\d.]+), module=([\d.]+)$/.exec(headers.get('tessera-size-mm') ?? '') ?? [];
  return module === undefined
    ? null
    : { width: Number(width), height: Number(height), module: Number(module) };
};

const warningsIn = (headers: Headers): readonly string[] =>
  (headers.get('tessera-warnings') ?? '').split(', ').filter((item) => item !== '');

const ofCode = async (id: string, query: string, signal: AbortSignal): Promise<Sized> => {
  const { headers, blob } = await askRaw(`api/v1/codes/${id}/image?${query}`, { signal }).then(
    async (answer) => ({ headers: answer.headers, blob: await answer.blob() }),
  );
  const grade = Number(headers.get('tessera-grade')) as Grade;
  const file = { name: fileNameOf(headers) ?? id, blob };
  return { grade, warnings: warningsIn(headers), sizeMm: sizeIn(headers), file };
};

const ofDesign = async (request: QrRequest, query: string, signal: AbortSignal): Promise<Sized> => {
  const answer = await postJson(`dashboard/check?${query}`, request, { signal });
  const { grade, warnings } = (await answer.json()) as Check;
  const said = warnings.map(({ name, value }) => (value === undefined ? name : `${name};v=${value}`));
  return { grade, warnings: said, sizeMm: sizeIn(answer.headers), file: null };
};

/** Returns the query of the file that is tried: in a bitmap, which has whole dots, if there is one. */
const queryOf = (choice: PrintChoice, sample: Sample): string => {
  const format = choice.formats.find((each) => FORMATS[each].isBitmap) ?? choice.formats[0]!;
  const { width, ...query } = toQuery(choice);
  const isPx = width !== undefined && sample.kind === 'code';
  return new URLSearchParams({ format, ...query, ...(isPx && { width }) }).toString();
};

/** What is known of a file. While a choice has just changed, nothing is. */
export interface Trial {
  readonly sized: Sized | null;
  readonly fault: Fault | null;
}

/** Tries a choice on a sample soon after its last change. `null`: there is none yet. */
export const useTrial = (choice: PrintChoice, sample: Sample | null): Trial => {
  const isRight = sample !== null && faultOf(choice) === null;
  const wanted = isRight ? JSON.stringify([queryOf(choice, sample), sample]) : '';
  const asked = useSettled(wanted, PAUSE_MS);
  const { data, error, isPlaceholderData } = useRead(
    ['sized', asked],
    (signal) => {
      const [query, of] = JSON.parse(asked) as [string, Sample];
      return of.kind === 'code' ? ofCode(of.id, query, signal) : ofDesign(of.request, query, signal);
    },
    { ...ONCE, enabled: asked !== '' },
  );
  const isCurrent = asked === wanted && asked !== '' && !isPlaceholderData;
  return { sized: isCurrent && error === null ? (data ?? null) : null, fault: isCurrent ? error : null };
};

const mm = (value: number): string => formatNumber(Math.round(value * 100) / 100);

/** Says the size of a file, such as `30 × 30 mm, module 0.81 mm, 300 dpi`. */
export const sizeInWords = (
  { sizeMm }: Sized,
  { size, widthPx, dpi, formats }: PrintChoice,
): string | null => {
  if (sizeMm === null) return size === 'px' && widthPx !== '' ? `${formatNumber(Number(widthPx))} px` : null;
  const dots = formats.some((format) => FORMATS[format].isBitmap) ? `, ${formatNumber(Number(dpi))} dpi` : '';
  return say('{width} × {height} mm, module {module} mm{dots}', {
    width: mm(sizeMm.width),
    height: mm(sizeMm.height),
    module: mm(sizeMm.module),
    dots,
  });
};

/** Says what lowers the grade of a file, and the width from which phones read it. */
export const warningsInWords = ({ warnings, sizeMm }: Sized): readonly string[] =>
  warnings.map((item) => {
    const [name = '', value] = item.split(';v=');
    if (name === 'small-modules' && sizeMm !== null) {
      const widthMm = Math.ceil((PHONE_MODULE_MM / sizeMm.module) * sizeMm.width);
      return say('Phones need modules of {mm} mm: make it {widthMm} mm wide or more.', {
        mm: mm(PHONE_MODULE_MM),
        widthMm,
      });
    }
    const { title, advice } = PARAMETERS[name as ParameterName];
    return `${title}${value === undefined ? '' : ` (${value})`}. ${inPlainWords(advice)}`;
  });
