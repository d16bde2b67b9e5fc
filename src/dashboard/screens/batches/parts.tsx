import { api, ask } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import type { Batch, BatchPart } from '../../api/shapes.ts';
import { BASE } from '../../base.ts';
import { PrimaryLink } from '../../ui/buttons.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count, formatNumber, formatSize } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { hasEnded } from './words.ts';

/** Rows of a part. */
const PART_ROWS = 50_000;

const Row = ({ batchId, part }: { readonly batchId: string; readonly part: BatchPart }) => (
  <li>
    <span class="file-name">
      <strong>Part {part.n}</strong>
      <span class="muted small">
        {count(part.codes, 'code')} · {formatSize(part.bytes)}
      </span>
    </span>
    <span class="file-sum small">
      <span class="muted">SHA-256</span> <code title={part.sha256}>{part.sha256.slice(0, 12)}…</code>
      <CopyButton text={part.sha256} label="Copy" about={`the SHA-256 of part ${part.n}`} />
    </span>
    <PrimaryLink
      href={`${BASE}api/v1/batches/${batchId}/parts/${part.n}`}
      download={`batch-${batchId}-${part.n}.zip`}
    >
      Download<span class="hidden"> part {part.n}</span>
    </PrimaryLink>
  </li>
);

/** Says which files are still to come, or why there are none. */
const rest = (batch: Batch, parts: number): string | null => {
  if (hasEnded(batch)) {
    if (parts > 0) return null;
    return batch.made > 0 ? 'The files were removed. The codes are still in their folder.' : null;
  }
  const all = Math.max(1, Math.ceil(batch.rows / PART_ROWS));
  if (all === 1)
    return 'One ZIP file, with a manifest of all codes. It appears here once the last code is made.';
  return `${formatNumber(parts)} of ${formatNumber(all)} ZIP files so far. Each has up to ${formatNumber(PART_ROWS)} codes and their manifest.`;
};

/** Shows the files of a batch, which can be downloaded while further ones are made. */
export const Parts = ({ batch }: { readonly batch: Batch }) => {
  const { id, state, made, failed } = batch;
  const load = useRead(['parts', id, state, made + failed], (signal) =>
    ask(api.GET('/api/v1/batches/{id}/parts', { params: { path: { id } }, signal })),
  );
  if (state === 'receiving' || (hasEnded(batch) && made === 0)) return null;
  return (
    <Card title="Files">
      <Loaded load={load} what="the files">
        {({ data: parts }) => {
          const still = rest(batch, parts.length);
          return (
            <>
              {parts.length > 0 && (
                <ul class="files">
                  {parts.map((part) => (
                    <Row key={part.n} batchId={id} part={part} />
                  ))}
                </ul>
              )}
              {still !== null && <p class="muted">{still}</p>}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
};
