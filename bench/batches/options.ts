/** The command line of `npm run bench:batches`. */
import type { Values } from '../command/command.ts';
import { whole } from '../command/whole.ts';
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

/** The command. */
export const BATCHES = {
  name: 'npm run bench:batches',
  operands: '[rows of --embedded]',
  about:
    'Measures batches on a gateway from the build, with a Redis and a Postgres of its own on this machine. A million rows take about a quarter of an hour and 12 GB below the folder for temporary files (TMPDIR). Ends with 1 when a target is missed.\n\nStages: rate (codes a second and their cost, beside POST /api/v1/qr/bulk, and memory), transfers (memory while a large body is uploaded and parts are downloaded; needs rate), sharing (the single calls and the batches of another account beside a batch), embedded (the embedded database).',
  options: {
    rows: whole('rows of the measured batch', 1_000_000, 1000),
    'upload-bytes': whole('body that is uploaded while another batch is made', 1_000_000_000, 1_000_000),
    embedded: { type: 'boolean', default: false, text: 'only the embedded database; its rows may follow' },
    'embedded-rows': whole('the same in a run of all stages', 100_000, 1000),
    stages: { type: 'string', default: STAGES.join(','), value: 'names', text: 'runs only these stages' },
    seconds: whole('length of each round of bulk calls and of single calls', 20),
    report: {
      type: 'string',
      default: REPORT_FOLDER,
      shown: 'bench/report',
      value: 'folder',
      text: 'folder of batches.json',
    },
  },
  examples: [
    ['--rows 20000 --stages rate', 'a rough answer'],
    ['--embedded 100000', 'only the embedded database'],
  ],
} as const;

/** Returns the options, or a sentence that says what is wrong with them. */
export const optionsOf = (
  values: Values<typeof BATCHES>,
  positionals: readonly string[],
): BatchOptions | string => {
  const [embeddedRows = values['embedded-rows'], ...more] = values.embedded ? positionals : [];
  if (more.length > 0 || (!values.embedded && positionals.length > 0))
    return `${positionals.at(-1)} belongs to no option`;
  const stages = values.embedded ? ['embedded'] : values.stages.split(',');
  const unknown = stages.find((stage) => !(STAGES as readonly string[]).includes(stage));
  if (unknown !== undefined) return `--stages has ${unknown}; there are ${STAGES.join(', ')}`;
  if (stages.includes('transfers') && !stages.includes('rate')) return '--stages transfers needs rate';
  const rows = Number(embeddedRows);
  if (!Number.isInteger(rows) || rows < 1000)
    return '--embedded must be followed by a whole number, at least 1000';
  return {
    rows: Number(values.rows),
    embeddedRows: rows,
    uploadBytes: Number(values['upload-bytes']),
    seconds: Number(values.seconds),
    stages: stages as Stage[],
    folder: values.report,
  };
};
