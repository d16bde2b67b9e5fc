import type { Fault } from '../../../api/client.ts';
import { ONCE, useRead } from '../../../api/query.ts';
import type { BatchOptions, BatchPreview } from '../../../api/shapes.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import type { ColumnsQuery } from '../columns/mapping.ts';
import { loadPreview } from '../columns/preview.ts';
import type { FileKind } from '../send/file-kind.ts';

const PAUSE_MS = 300;

/** What the service makes of the first rows of a file, and which of them repeat an earlier one. */
export interface ComposedRows {
  /** `null`: nothing is known, or nothing can be made. */
  readonly rows: BatchPreview['composed'];
  /** Why nothing can be made; `null`: something can, or nothing was asked. */
  readonly fault: string | null;
  /** `null`: the rows have not been compared. */
  readonly compared: BatchPreview | null;
  /** Why they could not be compared. */
  readonly compareFault: string | null;
}

const toFault = ({ details, message }: Fault): string => details.replace(/^Design\.\w+: /, '') || message;

/**
 * Asks what the codes of the first rows will say, and compares the rows.
 *
 * @param isMade Whether what they say is made of several columns.
 * @param isAsked Whether the columns are clear.
 */
export const useComposed = (
  file: File,
  kind: FileKind,
  { template, gs1, counters, qrOptions }: BatchOptions,
  query: ColumnsQuery,
  isMade: boolean,
  isAsked: boolean,
): ComposedRows => {
  const form = qrOptions?.gs1 && { qrOptions: { gs1: qrOptions.gs1 } };
  const wanted = JSON.stringify({ design: { template, gs1, counters, ...form }, query });
  const asked = useSettled(wanted, PAUSE_MS);
  const { data, error } = useRead(
    ['composed', file.name, file.size, file.lastModified, kind.encoding, asked],
    (signal) => loadPreview(file, kind, { ...JSON.parse(asked), signal }),
    { ...ONCE, enabled: isAsked && kind.format !== 'ndjson' && asked === wanted },
  );
  if (!isAsked) return { rows: null, fault: null, compared: null, compareFault: null };
  const compareFault = error === null ? null : toFault(error);
  const compared = error === null ? (data ?? null) : null;
  if (!isMade) return { rows: null, fault: null, compared, compareFault };
  return {
    rows: compared?.composed ?? null,
    fault: compareFault ?? data?.fault ?? null,
    compared,
    compareFault,
  };
};
