import type { Command } from 'commander';
import { type CommonOptions, openAdminApi, print, wholeNumber, withAdminOptions } from '../admin.ts';
import type { Terminal } from '../terminal.ts';
import { type Account, describe, pathOf } from './accounts.ts';

/** Adds `credits add`. */
export const addCreditCommands = (program: Command, terminal: Terminal): void => {
  const credits = program.command('credits').description('add credits to an account');

  withAdminOptions(credits.command('add <account-id> <amount>'))
    .description('add credits; the same reference counts once')
    .option('--reference <text>', 'reference of the payment: it counts once, however often it is sent')
    .action(async (id: string, amount: string, options: CommonOptions & { reference?: string }) => {
      const body = { amount: wholeNumber(amount), reference: options.reference };
      const api = await openAdminApi(options, terminal);
      const account = await api.call<Account>({ method: 'POST', path: `${pathOf(id)}/credits`, body });
      print(terminal, options, account, describe(account));
    });
};
