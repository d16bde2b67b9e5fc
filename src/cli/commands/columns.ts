/** Options that say what the columns of a file are. */
import { type Command, Option } from 'commander';
import { addColumn } from '../bulk/input/columns.ts';

/** Adds `--column`. */
export const withColumn = (command: Command): Command =>
  command.option(
    '--column <field=name>',
    'which column is a field, such as data="Web address"; width= says that no column is it; may be repeated',
    addColumn,
  );

/** Adds `--column` and `--other-columns`. */
export const withColumns = (command: Command): Command =>
  withColumn(command).addOption(
    new Option('--other-columns <do>', 'what becomes of columns that are no field')
      .choices(['refuse', 'skip'])
      .default('refuse'),
  );
