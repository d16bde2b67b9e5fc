import type { Command } from 'commander';
import { type ListOptions, printList, withLimit } from '../../codes/lists.ts';
import { withKeyOptions } from '../../key-options.ts';
import type { Terminal } from '../../terminal.ts';

/** Adds `folders list`. */
export const addFolderCommands = (program: Command, terminal: Terminal): void => {
  const folders = program.command('folders').description('list folders of saved codes');

  withLimit(withKeyOptions(folders.command('list'), 'manage'))
    .option('--search <text>', 'only those whose name includes this text')
    .description('list folders, newest first')
    .action((options: ListOptions) =>
      printList(
        terminal,
        'GET /api/v1/folders',
        options,
        {},
        { ID: 'id', NAME: 'name', CODES: 'code_count', CREATED: 'created_at' },
      ),
    );
};
