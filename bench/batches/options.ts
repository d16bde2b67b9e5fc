/** The command line of `npm run bench:batches`. */
import { parseArgs } from 'node:util';
import { REPORT_FOLDER } from '../page/files.ts';

const STAGES = ['rate', 'transfers', 'sharing', 'embedded'] as const;
/** A part of the run. */
export type Stage = (typeof STAGES)[number];

/** The options, checked. */
export interface BatchOptions {
  readonly rows: number;
  readonly embeddedRows: number;
  readonly uploadBytes: number;
  /** Seconds of each round of bulk calls and of single calls. */
  readonly seconds: number;
  readonly stages: readonly Stage[];
  readonly folder: string;
}

/** What `--help` prints. */
export const HELP = `npm run bench:batches -- [options]

Measures batches on a gateway from the build, with a Redis and a Postgres of its own on this machine.

  --rows 1000000             rows of the measured batch
  --upload-bytes 1000000000  body that is uploaded while another batch is made
  --embedded [100000]        only the embedded database, with so many rows
  --embedded-rows 100000     the same in a run of all stages
  --stages ${STAGES.join(',')}
                             rate: codes a second and their cost, beside POST /api/v1/qr/bulk, and memory
                             transfers: memory while a large body is uploaded and parts are downloaded; needs rate
                             sharing: the single calls and the batches of another account beside a batch
                             embedded: the embedded database
  --seconds 20               length of each round of bulk calls and of single calls
  --report bench/report      folder of batches.json

A million rows take about a quarter of an hour and 12 GB below the folder for temporary files (TMPDIR). Ends with 1 when a target
is missed.`;

const whole = (name: string, text: string, least: number): number | string =>
  Number.isInteger(Number(text)) && Number(text) >= least
    ? Number(text)
    : `--${name} must be a whole number, at least ${least}`;

/** Parses the arguments. @returns The options; `null` for `--help`; or a sentence that says what is wrong. */
export const readOptions = (args: readonly string[]): BatchOptions | string | null => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      rows: { type: 'string', default: '1000000' },
      'upload-bytes': { type: 'string', default: '1000000000' },
      embedded: { type: 'boolean', default: false },
      'embedded-rows': { type: 'string', default: '100000' },
      stages: { type: 'string', default: STAGES.join(',') },
      seconds: { type: 'string', default: '20' },
      report: { type: 'string', default: REPORT_FOLDER },
    },
  });
  if (values.help) return null;
  const [embeddedRows = values['embedded-rows'], ...more] = values.embedded ? positionals : [];
  if (more.length > 0 || (!values.embedded && positionals.length > 0))
    return `${positionals.at(-1)} belongs to no option`;
  const stages = values.embedded ? ['embedded'] : values.stages.split(',');
  const unknown = stages.find((stage) => !(STAGES as readonly string[]).includes(stage));
  if (unknown !== undefined) return `--stages has ${unknown}; there are ${STAGES.join(', ')}`;
  if (stages.includes('transfers') && !stages.includes('rate')) return '--stages transfers needs rate';
  const numbers = {
    rows: whole('rows', values.rows, 1000),
    embeddedRows: whole('embedded-rows', embeddedRows, 1000),
    uploadBytes: whole('upload-bytes', values['upload-bytes'], 1_000_000),
    seconds: whole('seconds', values.seconds, 1),
  };
  const wrong = Object.values(numbers).find((value) => typeof value === 'string');
  if (typeof wrong === 'string') return wrong;
  return {
    ...(numbers as Record<keyof typeof numbers, number>),
    stages: stages as Stage[],
    folder: values.report,
  };
};
