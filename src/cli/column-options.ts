/** Options that say how a file is read. */
import { type Command, Option } from 'commander';
import { addColumn, INPUT_FORMATS } from './bulk/input/source.ts';

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

/** Makes the option for the format of the file. */
export const formatOption = (flag: string): Option =>
  new Option(`${flag} <format>`, 'format of the file; default: by its extension').choices([...INPUT_FORMATS]);
