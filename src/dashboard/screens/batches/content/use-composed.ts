import type { Fault } from '../../../api/client.ts';
import { ONCE, useRead } from '../../../api/query.ts';
import type { BatchOptions, BatchPreview } from '../../../api/shapes.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import type { ColumnsQuery } from '../columns/mapping.ts';
import { loadPreview } from '../columns/preview.ts';
import type { FileKind } from '../send/file-kind.ts';

const PAUSE_MS = 300;

/** What the service makes of the first rows of a file. */
export interface ComposedRows {
  /** `null`: nothing is known, or nothing can be made. */
  readonly rows: BatchPreview['composed'];
  /** Why nothing can be made; `null`: something can, or nothing was asked. */
  readonly fault: string | null;
}

const toFault = ({ details, message }: Fault): string => details.replace(/^Design\.\w+: /, '') || message;

/** Asks what the codes of the first rows will say. @param isAsked Whether the file has rows that are made of others. */
export const useComposed = (
  file: File,
  kind: FileKind,
  { template, gs1, counters, qrOptions }: BatchOptions,
  query: ColumnsQuery,
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
  if (!isAsked) return { rows: null, fault: null };
  return {
    rows: error === null ? (data?.composed ?? null) : null,
    fault: error ? toFault(error) : (data?.fault ?? null),
  };
};
