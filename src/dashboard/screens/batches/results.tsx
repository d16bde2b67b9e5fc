/** Cards of what a batch has made: its grades, its files, rows with errors, and rows that repeat others. */
import { useState } from 'preact/hooks';
import { api, ask, BASE } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import type { Batch, BatchPart } from '../../api/shapes.ts';
import { ButtonLink, CopyButton, PrimaryLink, Quiet } from '../../ui/buttons.tsx';
import { CheckInput } from '../../ui/fields.tsx';
import { count, formatNumber, formatSize, percent } from '../../ui/format.ts';
import { Card, Dots } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { ReprintDialog } from './reprint.tsx';
import { RowFaults } from './row-faults.tsx';
import { hasEnded, nameOf } from './words.ts';

/** From the best grade to the lowest, as the answer counts them from 0. */
const GRADES = [
  { grade: 4, text: say('Scan well'), color: 'var(--grade-4)' },
  { grade: 3, text: say('Nearly every reader scans them'), color: 'var(--grade-3)' },
  { grade: 2, text: say('May be hard to scan'), color: 'var(--grade-2)' },
  { grade: 1, text: say('Hard to scan'), color: 'var(--grade-1)' },
  { grade: 0, text: say('Few readers scan them'), color: 'var(--grade-0)' },
] as const;

/** Shows how well the codes of a batch can be scanned. @param grades Codes of grade 0 to 4. */
export const Grades = ({ grades }: { readonly grades: readonly number[] }) => {
  const codes = grades.reduce((sum, each) => sum + each, 0);
  const found = GRADES.map((each) => ({ ...each, codes: grades[each.grade] ?? 0 })).filter(
    (each) => each.codes > 0,
  );
  let at = 0;
  return (
    <Card title={say('How well they scan')}>
      <svg
        class="grade-bar"
        viewBox={`0 0 ${Math.max(1, codes)} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {found.map(({ grade, codes: width, color }) => {
          const x = at;
          at += width;
          return <rect key={grade} x={x} width={width} height={1} fill={color} />;
        })}
      </svg>
      <ul class="stack tight grade-list">
        {found.map(({ grade, text, codes: of, color }) => (
          <li key={grade}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <circle cx="5" cy="5" r="5" fill={color} />
            </svg>
            <span>
              <strong>{say('Grade {grade}', { grade })}</strong> <span class="muted">{text}</span>
            </span>
            <span class="number">
              {formatNumber(of)} <span class="muted">{percent(of / codes)}</span>
            </span>
          </li>
        ))}
      </ul>
      {codes > (grades[4] ?? 0) && (
        <p class="muted small">
          {say('{codes} below grade 4: manifest.csv in the ZIP file says which, and what to change.', {
            codes: count(codes - (grades[4] ?? 0), 'code', 'codes'),
          })}
        </p>
      )}
    </Card>
  );
};

const PART_ROWS = 50_000;

interface RowProps {
  /** The address of the part. */
  readonly path: string;
  readonly part: BatchPart;
  /** The query of its PDFs as one; `null`: it has none. */
  readonly pages: string | null;
}

const Row = ({ path, part, pages }: RowProps) => (
  <li>
    <span class="stack flat">
      <strong>{say('Part {n}', { n: part.n })}</strong>
      <Dots facts={[count(part.codes, 'code', 'codes'), formatSize(part.bytes)]} />
    </span>
    <span class="file-sum small">
      <span class="muted">SHA-256</span> <code title={part.sha256}>{part.sha256.slice(0, 12)}…</code>
      <CopyButton
        text={part.sha256}
        label={say('Copy')}
        about={say('the SHA-256 of part {n}', { n: part.n })}
      />
    </span>
    <span class="row">
      {pages !== null && (
        <ButtonLink href={`${path}?${pages}`} download>
          {say('One PDF')}
          <span class="hidden"> {say('of part {n}', { n: part.n })}</span>
        </ButtonLink>
      )}
      <PrimaryLink href={path} download>
        {say('Download')}
        <span class="hidden"> {say('part {n}', { n: part.n })}</span>
      </PrimaryLink>
    </span>
  </li>
);

/** Says which files are still to come, or why there are none. */
const rest = (batch: Batch, parts: number): string | null => {
  if (hasEnded(batch)) {
    if (parts > 0) return null;
    return batch.made > 0 ? say('The files were removed. The codes are still in their folder.') : null;
  }
  const all = Math.max(1, Math.ceil(batch.rows / PART_ROWS));
  if (all === 1)
    return say('One ZIP file, with a list of all codes. It appears here once the last code is made.');
  return say('{parts} of {all} ZIP files so far. Each has up to {partRows} codes and a list of them.', {
    parts,
    all,
    partRows: PART_ROWS,
  });
};

/** Shows the files of a batch, which can be downloaded while further ones are made. */
export const Parts = ({ batch }: { readonly batch: Batch }) => {
  const { id, state, made, failed, formats } = batch;
  const [hasProof, setProof] = useState(true);
  const [isAsking, setAsking] = useState(false);
  const hasPages = formats.includes('pdf');
  const pages = hasPages ? `output=pages${hasProof ? '&proof=true' : ''}` : null;
  const load = useRead(['parts', id, state, made + failed], (signal) =>
    ask(api.GET('/api/v1/batches/{id}/parts', { params: { path: { id } }, signal })),
  );
  if (state === 'receiving' || (hasEnded(batch) && made === 0)) return null;
  return (
    <Card
      title={say('Files')}
      actions={
        load.data !== undefined &&
        load.data.data.length > 0 && <Quiet onClick={() => setAsking(true)}>{say('Print rows again')}</Quiet>
      }
    >
      <Loaded load={load} what={say('the files')}>
        {({ data: parts }) => {
          const still = rest(batch, parts.length);
          return (
            <>
              {parts.length > 0 && (
                <ul class="rows">
                  {parts.map((part) => (
                    <Row
                      key={part.n}
                      path={`${BASE}api/v1/batches/${id}/parts/${part.n}`}
                      part={part}
                      pages={pages}
                    />
                  ))}
                </ul>
              )}
              {hasPages && parts.length > 0 && (
                <CheckInput
                  label={say('One PDF begins with a proof page')}
                  hint={say('Counts, first and last row, SHA-256, and a line of 100 mm to measure.')}
                  isOn={hasProof}
                  onToggle={setProof}
                />
              )}
              {still !== null && <p class="muted">{still}</p>}
            </>
          );
        }}
      </Loaded>
      {isAsking && <ReprintDialog batch={batch} onClose={() => setAsking(false)} />}
    </Card>
  );
};

/** What to do about the errors, by the state of the batch. */
const adviceOf = ({ made, failed, state }: Batch): string => {
  if (made + failed > 0) return say('These rows were left out. All others were made.');
  return state === 'failed'
    ? say('Nothing was made or charged. Correct these rows, and send them again.')
    : say('These rows are wrong. The others are still being checked.');
};

/** Shows the rows of a batch with errors, by their numbers in the file and the caller's own ids. */
export const RowErrors = ({ batch }: { readonly batch: Batch }) => {
  const { id, errors } = batch;
  return (
    <RowFaults
      title={count(errors, 'row with an error', 'rows with errors')}
      path={`api/v1/batches/${id}/errors`}
      file={`${nameOf(batch)} errors.ndjson`}
      total={errors}
      advice={adviceOf(batch)}
      nameColumn={say('Your id')}
    />
  );
};

export const Duplicates = ({ batch }: { readonly batch: Batch }) =>
  batch.duplicates === 0 ? null : (
    <p class="muted">
      {count(batch.duplicates, 'row repeats an earlier row', 'rows repeat an earlier row')}:{' '}
      <a
        href={`${BASE}api/v1/batches/${batch.id}/duplicates`}
        download={`${nameOf(batch)} duplicates.ndjson`}
      >
        {say('download the list')}
      </a>
      .
    </p>
  );
