/** Options that say how a file is read. */
import { type Command, Option } from 'commander';
import { readEncoding } from '../csv/charset.ts';
import { addColumn, INPUT_FORMATS } from './bulk/input/source.ts';
import { usageError } from './fault.ts';

/** Adds `--column`. */
export const withColumn = (command: Command): Command =>
  command.option(
    '--column <field=name>',
    'column of a field, such as data="Web address"; "width=" means that width has no column; may be repeated',
    addColumn,
  );

/** Adds `--column` and `--other-columns`. */
export const withColumns = (command: Command): Command =>
  withColumn(command).addOption(
    new Option('--other-columns <do>', 'what to do with columns that are not fields')
      .choices(['refuse', 'skip'])
      .default('refuse'),
  );

const toEncoding = (label: string): string => {
  const encoding = readEncoding(label);
  if (!encoding.ok) throw usageError(`--encoding: ${encoding.fault}`);
  return encoding.value;
};

/** Adds `--encoding`. */
export const withEncoding = (command: Command): Command =>
  command.option(
    '--encoding <name>',
    'encoding of a CSV file that is neither UTF-8 nor UTF-16 with a byte order mark, such as windows-1251',
    toEncoding,
  );

/** Makes the option for the format of the file. */
export const formatOption = (flag: string): Option =>
  new Option(`${flag} <format>`, 'format of the file; default: by its extension').choices([...INPUT_FORMATS]);
