/** Sends a file of rows as a link job. */
import { type Command, Option } from 'commander';
import type { Operation } from '../../../clients/typescript/src/request.ts';
import type { Mapping } from '../../csv/match.ts';
import { type KeyOptions, withColumn, withEncoding, withKeyOptions } from '../options.ts';
import { createUploadLine, formatMegabytes, type Terminal } from '../terminal.ts';
import { type LinkJobBody, runJob } from './job.ts';
import { LINE_FORMATS, type LineFormat, lineFormatOf, mediaTypeOf, withRowFile } from './row-file.ts';

/** Options of every command that sends a link job. */
export interface SendOptions extends KeyOptions {
  readonly inputFormat?: LineFormat;
  readonly column?: Mapping;
  readonly encoding?: string;
  readonly dryRun?: true;
  readonly allOrNothing?: true;
  readonly webhook?: string;
  readonly once?: string;
}

/** Adds those options. */
export const withSendOptions = (command: Command): Command =>
  withEncoding(withColumn(withKeyOptions(command, 'manage')))
    .addOption(
      new Option('--input-format <format>', 'format of the file; default: by its extension').choices(
        LINE_FORMATS,
      ),
    )
    .option('--dry-run', 'check the rows and count what would change')
    .option('--all-or-nothing', 'change nothing if a row has a fault')
    .option('--webhook <webhook-id>', 'webhook to tell when it has ended')
    .option('--once <key>', 'Idempotency-Key: the same command sends one job for as long as that is listed');

/** A file is sent at least at the pace that the gateway asks for. */
const PACE_BYTES_PER_MS = 16;
const LEAST_TIMEOUT_MS = 120_000;

/** Rows, the call that takes them, and how it is told to read them. */
interface Sent {
  /** The name of the file; `-`: standard input. */
  readonly file: string;
  readonly path: '/api/v1/link-jobs' | '/api/v1/links/imports';
  /** Parameters beside those that every job takes. */
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** Sends a file as a link job, follows it to its end, and prints it. @throws {CliFault} as `runJob`. */
export const sendFile = async (
  { file: name, path, query }: Sent,
  options: SendOptions,
  terminal: Terminal,
): Promise<void> => {
  const { dryRun, allOrNothing, webhook, once, column, encoding } = options;
  const contentType = mediaTypeOf(lineFormatOf(name, options.inputFormat), encoding);
  const operation: Operation = { method: 'POST', path, auth: 'key', once: true };
  const asked = {
    ...query,
    columns: column === undefined ? undefined : JSON.stringify(column),
    ...{ dry_run: dryRun, all_or_nothing: allOrNothing, webhook },
  };
  await withRowFile(name, terminal, (file) =>
    runJob(
      async (call, status) => {
        const tell = createUploadLine(file.bytes);
        const { data } = await call(
          operation,
          {
            query: asked,
            headers: { ...file.headers, 'idempotency-key': once },
            contentType,
            body: file.body((read) =>
              read < file.bytes
                ? status.show(tell(read))
                : status.show(`Uploaded ${formatMegabytes(file.bytes)}; the gateway reads the rows`),
            ),
          },
          { timeoutMs: LEAST_TIMEOUT_MS + file.bytes / PACE_BYTES_PER_MS },
        );
        return data as LinkJobBody;
      },
      options,
      terminal,
    ),
  );
};
