/** What a file will be: its size, its grade, and what is too small, as the service says before anybody downloads it. */
import { FORMATS, PARAMETERS, type ParameterName } from '../../../../workers/lists.ts';
import { askRaw, type Fault, fileNameOf, postJson } from '../../api/client.ts';
import { ONCE, useRead } from '../../api/query.ts';
import type { Check, Grade, QrRequest } from '../../api/shapes.ts';
import { formatNumber } from '../../ui/format.ts';
import { useObjectUrl, useSettled } from '../../ui/hooks.ts';
import { say } from '../../words/say.ts';
import { inPlainWords } from '../designer/hints.ts';
import { counts, faultOf, isUsed, type PrintChoice, textOf, toQuery, WORDS } from './choice.ts';
import { lostInWords } from './words.ts';

/** What a choice is tried on: a saved code, whose files are free, or a design, of which only the grade is. */
export type Sample =
  | { readonly kind: 'code'; readonly id: string }
  | { readonly kind: 'design'; readonly request: QrRequest };

export interface Sized {
  readonly grade: Grade;
  /** Names of parameters below 4, with their figures: `small-modules;v=0.28`. */
  readonly warnings: readonly string[];
  /** What captions lose that may be lost, in words. */
  readonly lost: readonly string[];
  /** In millimetres; `null` in pixels. */
  readonly sizeMm: { readonly width: number; readonly height: number; readonly module: number } | null;
  /** That of a saved code. */
  readonly file: { readonly name: string; readonly blob: Blob } | null;
  /** What it looks like; `null`: as the design does. */
  readonly picture: Blob | null;
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

const askFile = async (id: string, query: string, signal: AbortSignal) => {
  const answer = await askRaw(`api/v1/codes/${id}/image?${query}`, { signal });
  return { headers: answer.headers, blob: await answer.blob() };
};

const ofCode = async (id: string, { query, shown }: Asked, signal: AbortSignal): Promise<Sized> => {
  const [{ headers, blob }, seen] = await Promise.all([
    askFile(id, query, signal),
    shown === query ? null : askFile(id, shown, signal).catch(() => null),
  ]);
  const grade = Number(headers.get('tessera-grade')) as Grade;
  const file = { name: fileNameOf(headers) ?? id, blob };
  return {
    ...{ grade, warnings: warningsIn(headers), lost: lostInWords(headers), sizeMm: sizeIn(headers), file },
    picture: shown === query ? blob : (seen?.blob ?? null),
  };
};

const ofDesign = async (
  request: QrRequest,
  { query, around }: Asked,
  signal: AbortSignal,
): Promise<Sized> => {
  const [answer, drawn] = await Promise.all([
    postJson(`dashboard/check?${query}`, request, { signal }),
    around === null ? null : postJson(`dashboard/preview?${around}`, request, { signal }).catch(() => null),
  ]);
  const { grade, warnings } = (await answer.json()) as Check;
  const said = warnings.map(({ name, value }) => (value === undefined ? name : `${name};v=${value}`));
  return {
    ...{ grade, warnings: said, sizeMm: sizeIn(answer.headers), file: null },
    ...{ lost: drawn ? lostInWords(drawn.headers) : [], picture: drawn && (await drawn.blob()) },
  };
};

/** Queries of what is tried. */
interface Asked {
  /** The file: in a bitmap, which has whole dots, if there is one. */
  readonly query: string;
  /** What shows a file that browsers do not. */
  readonly shown: string;
  /** What shows a design with what stands around it; `null`: nothing does. */
  readonly around: string | null;
}

const writeQuery = (query: Readonly<Record<string, string>>) => new URLSearchParams(query).toString();

const toAsked = (choice: PrintChoice, { kind }: Sample): Asked => {
  const format = choice.formats.find((each) => FORMATS[each].isBitmap) ?? choice.formats[0]!;
  const { width, ...query } = toQuery(choice);
  const isPx = width !== undefined && kind === 'code';
  const file = writeQuery({ format, ...query, ...(isPx && { width }) });
  const isShown = format !== 'pdf' && format !== 'eps';
  return {
    query: file,
    shown: isShown ? file : writeQuery({ format: 'svg', ...toQuery({ ...choice, formats: ['svg'] }) }),
    around: isUsed(choice, WORDS) ? writeQuery(query) : null,
  };
};

/** What is known of a file. While a choice has just changed, nothing is. */
export interface Trial {
  readonly sized: Sized | null;
  /** The address of the latest picture; `null`: there is none, or it is that of the design. */
  readonly picture: string | null;
  readonly fault: Fault | null;
}

/** Tries a choice on a sample soon after its last change. `null`: there is none yet. */
export const useTrial = (choice: PrintChoice, sample: Sample | null): Trial => {
  const isRight = sample !== null && faultOf(choice) === null;
  const wanted = isRight ? JSON.stringify([toAsked(choice, sample), sample]) : '';
  const asked = useSettled(wanted, PAUSE_MS);
  const { data, error, isPlaceholderData } = useRead(
    ['sized', asked],
    (signal) => {
      const [queries, of] = JSON.parse(asked) as [Asked, Sample];
      return of.kind === 'code' ? ofCode(of.id, queries, signal) : ofDesign(of.request, queries, signal);
    },
    { ...ONCE, enabled: asked !== '' },
  );
  const isCurrent = asked === wanted && asked !== '' && !isPlaceholderData;
  const picture = useObjectUrl(data?.picture);
  return {
    sized: isCurrent && error === null ? (data ?? null) : null,
    picture,
    fault: isCurrent ? error : null,
  };
};

const mm = (value: number): string => formatNumber(Math.round(value * 100) / 100);

/** Says the size of a file, such as `30 × 30 mm, module 0.81 mm, 300 dpi`. */
export const sizeInWords = ({ sizeMm }: Sized, choice: PrintChoice): string | null => {
  const widthPx = textOf(choice, 'width');
  if (sizeMm === null)
    return counts(choice, 'width') && widthPx !== '' ? `${formatNumber(Number(widthPx))} px` : null;
  const dots = counts(choice, 'dpi') ? `, ${formatNumber(Number(textOf(choice, 'dpi')))} dpi` : '';
  return say('{width} × {height} mm, module {module} mm{dots}', {
    width: mm(sizeMm.width),
    height: mm(sizeMm.height),
    module: mm(sizeMm.module),
    dots,
  });
};

/** Says what captions lose, what lowers the grade of a file, and the width from which phones read it. */
export const warningsInWords = (
  { warnings, lost, sizeMm }: Sized,
  choice: PrintChoice,
): readonly string[] => [
  ...lost,
  ...warnings.map((item) => {
    const [name = '', value] = item.split(';v=');
    if (name === 'small-modules' && sizeMm !== null) {
      // What stands around the code makes the file wider.
      const isWider = isUsed(choice, WORDS) && counts(choice, 'width_mm');
      const codeMm = isWider ? Number(textOf(choice, 'width_mm')) : sizeMm.width;
      const widthMm = Math.ceil((PHONE_MODULE_MM / sizeMm.module) * codeMm);
      return say('Phones need modules of {mm} mm: make it {widthMm} mm wide or more.', {
        mm: mm(PHONE_MODULE_MM),
        widthMm,
      });
    }
    const { title, advice } = PARAMETERS[name as ParameterName];
    return `${title}${value === undefined ? '' : ` (${value})`}. ${inPlainWords(advice)}`;
  }),
];
