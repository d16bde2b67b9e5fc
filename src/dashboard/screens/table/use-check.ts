/** What a draft of a table amounts to: its columns, the query and the options of its batch, and what is wrong with its rows. */
import { useMemo } from 'preact/hooks';
import type { Fault } from '../../api/client.ts';
import { ONCE, useGet, useRead } from '../../api/query.ts';
import type { BatchOptions } from '../../api/shapes.ts';
import { useSession, useSettled } from '../../ui/hooks.ts';
import {
  faultOf as fileFaultOf,
  isUsed,
  textOf,
  toBatchOptions,
  toChoiceFault,
  withOption,
} from '../print/choice.ts';
import { faultyRows, type TableDraft } from './draft.ts';
import {
  type ColumnsQuery,
  captionNamesOf,
  captionOfFirst,
  faultOf,
  fitTo,
  givenTo,
  listUnique,
  NOTHING_CHOSEN,
  namesIn,
  namesInCaption,
  sourceOf,
  templateFault,
  toOptions,
  toQuery,
} from './mapping.ts';
import { readAddresses } from './misprints.ts';
import { checkRows } from './read.ts';

const PAUSE_MS = 300;

/** Says why the rows cannot be made. That they cannot be checked now is no reason: the batch checks them anyway. */
const toFault = ({ status, details, message }: Fault): string | null =>
  status === 400 ? details.replace(/^Design\.\w+: /, '') || message : null;

const isOfFiles = ({ details }: Fault): boolean => details.startsWith('Design.print.');

/** The options that decide whether a row is right. All of them, with a logo, would not fit into a header. */
const DECISIVE = [
  ...['dynamic', 'template', 'gs1', 'counters', 'print'],
  ...['qrOptions', 'width', 'height', 'margin', 'shape'],
];
const pick = (design: BatchOptions) =>
  Object.fromEntries(Object.entries(design).filter(([name]) => DECISIVE.includes(name)));

/** Lets the service check the rows, soon after the last change. */
const useRowCheck = (draft: TableDraft, design: BatchOptions, query: ColumnsQuery, isAsked: boolean) => {
  const { name, bytes, kind, changes } = draft;
  const wanted = JSON.stringify({ design: pick(design), query });
  const version = `${name} ${bytes} ${JSON.stringify(kind)} ${changes} ${wanted}`;
  const settled = useSettled(version, PAUSE_MS);
  const enabled = isAsked && settled === version;
  const { data, error, isFetching } = useRead(
    ['check', settled],
    (signal) => checkRows(draft, { ...JSON.parse(wanted), signal }),
    { ...ONCE, enabled },
  );
  return {
    checked: isAsked && error === null ? (data ?? null) : null,
    fault: isAsked && error !== null && !isOfFiles(error) ? toFault(error) : null,
    /** What is wrong with the choice of files. */
    refusal: isAsked && error !== null && isOfFiles(error) ? error : null,
    isChecking: isAsked && (settled !== version || isFetching),
  };
};

/** Returns whether the content of the rows that the page has is addresses, and which of them look misprinted. */
const useAddresses = ({ read, leftOut }: TableDraft, column: number) =>
  useMemo(() => {
    if (read === null || column === -1) return { areMost: false, misprints: [] };
    const { areMost, misprints } = readAddresses(read, column);
    const left = new Set(leftOut);
    return { areMost, misprints: misprints.filter(({ file_row }) => !left.has(file_row)) };
  }, [read, column, leftOut]);

/** Returns what a draft amounts to. */
export const useCheck = (draft: TableDraft) => {
  const { read, settings, request } = draft;
  const stem = useSession().resolver_url ?? '';
  const counters = useGet('/api/v1/counters', {}).data?.data.map(({ name }) => name) ?? [];
  const choice = { ...NOTHING_CHOSEN, stem, source: sourceOf(draft.mapping), ...draft.content };
  const { source } = choice;
  const { files } = settings;
  const caption = isUsed(files, ['caption']) ? textOf(files, 'caption') : '';
  const names = [...namesIn(choice), ...namesInCaption(caption)];
  const content = { source, names, given: givenTo(choice) };
  const mapping = read === null ? [] : fitTo(draft.mapping, read, content);
  const uniqueChoices = listUnique(read, mapping, content.names);
  const isUnique = uniqueChoices.some(([field]) => field === settings.unique);
  const query: ColumnsQuery = {
    ...(read === null ? {} : toQuery(read, mapping)),
    duplicates: settings.duplicates,
    ...(isUnique && { unique: settings.unique }),
  };
  const columnFault = read === null ? null : faultOf(read, mapping, source);
  const contentFault = templateFault(choice);
  const fileFault = fileFaultOf(files)?.text ?? null;
  const { formats, design: sizes } = toBatchOptions(files);
  const design = { ...toOptions(request, choice), ...sizes };
  const isAsked = read !== null && (columnFault ?? contentFault ?? fileFault) === null;
  const { checked, fault, refusal, isChecking } = useRowCheck(draft, design, query, isAsked);
  const composeFault = fault ?? checked?.fault ?? null;
  const refused = refusal && toChoiceFault(refusal).text;
  const addresses = useAddresses(draft, source === 'data' ? mapping.indexOf('data') : -1);
  return {
    ...{ mapping, choice, query, design, formats, uniqueChoices, columnFault, checked, isChecking },
    rows: faultyRows(draft, mapping, checked?.faulty_rows ?? []),
    captionNames: read === null ? ['name', 'content'] : captionNamesOf(read, mapping, counters),
    /** The choice of files with the caption of the first row. */
    tried: read === null ? files : withOption(files, 'caption', captionOfFirst(caption, read, mapping)),
    composed: source === 'data' ? null : (checked?.composed ?? null),
    misprints: addresses.misprints,
    /** How many rows were searched for them; `null`: none. */
    searched: addresses.areMost && read !== null ? read.rows.length : null,
    /** Whether the content is addresses, to which short links can lead. */
    mayBeDynamic: addresses.areMost || (source === 'template' && /^https?:/i.test(choice.template)),
    /** Why nothing can be made of the rows; `null`: something can, as far as is known. */
    composeFault,
    refusal,
    obstacle: columnFault ?? contentFault ?? fileFault ?? composeFault ?? refused,
  };
};
