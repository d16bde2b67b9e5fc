import { useState } from 'preact/hooks';
import type { DuplicateRule } from '../../../../duplicates/rules.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import { useSession } from '../../../session.ts';
import { Columns } from '../columns/columns.tsx';
import { type ColumnsQuery, faultOf, fitTo, listUnique, sourceOf, toQuery } from '../columns/mapping.ts';
import { type ChosenColumns, useColumns } from '../columns/preview.ts';
import type { FileKind } from '../send/file-kind.ts';
import { type ContentChoice, NOTHING_CHOSEN, namesIn, templateFault, toOptions } from './content.ts';
import { ContentCard } from './content-card.tsx';
import { useComposed } from './use-composed.ts';

/** What is done about rows that repeat an earlier one. */
export interface Repeats {
  readonly rule: DuplicateRule;
  /** The field whose values must be unique; '': none. */
  readonly unique: string;
}

/** Holds what a person makes of the rows of a file: which column is which, what their codes say, and what may repeat. */
export const useRows = (file: File, kind: FileKind, chosen: ChosenColumns | null, request: QrRequest) => {
  const { load, preview, setMapping, rows, ...held } = useColumns(file, kind, chosen);
  const [own, setOwn] = useState<Partial<ContentChoice>>({});
  const [wanted, setRepeats] = useState<Repeats>({ rule: 'refuse-keys', unique: '' });
  const stem = useSession().resolver_url ?? '';
  const choice = { ...NOTHING_CHOSEN, stem, source: sourceOf(held.mapping), ...own };
  const { source } = choice;
  const given = source === 'gs1' && choice.serials !== '' ? ['serial'] : [];
  const content = { source, names: namesIn(choice), given };
  const mapping = preview === null ? [] : fitTo(held.mapping, preview, content);
  const isKnown = preview !== null || kind.format === 'ndjson';
  const uniqueChoices = isKnown ? listUnique(preview, mapping, content.names) : [];
  const isLeft = uniqueChoices.some(([field]) => field === wanted.unique);
  const repeats = isLeft ? wanted : { ...wanted, unique: '' };
  const query: ColumnsQuery = {
    ...(preview === null ? {} : toQuery(preview, mapping)),
    duplicates: repeats.rule,
    ...(repeats.unique !== '' && { unique: repeats.unique }),
  };
  const columnFault = preview === null ? null : faultOf(preview, mapping, source);
  const contentFault = templateFault(choice);
  const design = toOptions(request, choice);
  const isAsked = preview !== null && (columnFault ?? contentFault) === null;
  const composed = useComposed(file, kind, design, query, source !== 'data', isAsked);
  return {
    ...{ load, preview, rows, mapping, setMapping, query, columnFault, choice, composed, design },
    ...{ repeats, setRepeats, uniqueChoices },
    hindered: columnFault ?? contentFault ?? composed.fault,
    change: (changed: Partial<ContentChoice>) => setOwn((before) => ({ ...before, ...changed })),
  };
};

/** What the codes are made of: the columns of a file that has some, or why they are unknown, and what they say. */
export const RowsOfFile = ({ of }: { readonly of: ReturnType<typeof useRows> }) => {
  const { load, preview, mapping, setMapping, columnFault, choice, composed, change } = of;
  const names = preview?.columns.map(({ name }) => name) ?? [];
  return (
    <>
      {preview !== null && (
        <Columns preview={preview} mapping={mapping} fault={columnFault} onMapping={setMapping} />
      )}
      {load.error && (
        <p class="notice" role="status">
          {load.error.details.replace(/^body: /, 'This file ') || load.error.message}
        </p>
      )}
      <ContentCard choice={choice} names={names} composed={composed} onChange={change} />
    </>
  );
};
