import { Command, CommanderError } from 'commander';
import { addBatchCommands, addCounterCommands } from './commands/account/batches.ts';
import { addCodeCommands, addFolderCommands } from './commands/account/codes.ts';
import { addDomainCommands } from './commands/account/domains.ts';
import { addLinkJobCommands } from './commands/account/link-jobs.ts';
import { addLinkCommands, addScansCommand } from './commands/account/links.ts';
import { addResolverCommands } from './commands/account/resolver.ts';
import { addRuleCommands } from './commands/account/rules.ts';
import { addScanCheckCommand } from './commands/account/scan-check.ts';
import { addWebhookCommands } from './commands/account/webhooks.ts';
import { addBarcodeCommand } from './commands/barcode.ts';
import { addBulkCommand } from './commands/bulk.ts';
import { addGs1Command } from './commands/gs1.ts';
import { addAccountCommands, addCreditCommands } from './commands/operator/accounts.ts';
import { addDoctorCommands } from './commands/operator/doctor.ts';
import { addKeyCommands } from './commands/operator/keys.ts';
import { addMigrateCommand } from './commands/operator/migrate.ts';
import { addMoveScansCommand } from './commands/operator/move-scans.ts';
import { addUsageCommand } from './commands/operator/usage.ts';
import { addReceiptCommands } from './commands/receipt.ts';
import { addSheetsCommand } from './commands/sheets.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { CliFault, type Terminal } from './terminal.ts';

const createProgram = (terminal: Terminal): Command => {
  const program = new Command('tessera')
    .description('The command line of a Tessera gateway: a thin client of its HTTP API.')
    .helpCommand(false)
    .showHelpAfterError('Add --help to see what the command takes.')
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
    })
    .exitOverride();
  addAccountCommands(program, terminal);
  addKeyCommands(program, terminal);
  addCreditCommands(program, terminal);
  addUsageCommand(program, terminal);
  addBulkCommand(program, terminal);
  addBatchCommands(program, terminal);
  addCounterCommands(program, terminal);
  addCodeCommands(program, terminal);
  addFolderCommands(program, terminal);
  addLinkCommands(program, terminal);
  addLinkJobCommands(program, terminal);
  addDomainCommands(program, terminal);
  addRuleCommands(program, terminal);
  addWebhookCommands(program, terminal);
  addScansCommand(program, terminal);
  addMoveScansCommand(program, terminal);
  addResolverCommands(program, terminal);
  addSheetsCommand(program, terminal);
  addVerifyCommand(program, terminal);
  addScanCheckCommand(program, terminal);
  addReceiptCommands(program, terminal);
  addGs1Command(program, terminal);
  addBarcodeCommand(program, terminal);
  addDoctorCommands(program, terminal);
  addMigrateCommand(program, terminal);
  return program;
};

/** Runs a command. Returns the exit code: 0 done, 1 failed, 2 usage error. Throws only for bugs. */
export const runCli = async (args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> => {
  try {
    await createProgram(terminal).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the help, or what is wrong and how to get help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    // Faults of the file system, such as a full disk, are printed. Any other error is a bug.
    const isFault = error instanceof CliFault || (error instanceof Error && 'syscall' in error);
    if (!isFault) throw error;
    const { code, path } = error as NodeJS.ErrnoException;
    const message = code === 'ENOENT' && path ? `${path}: there is no such file` : error.message;
    terminal.err.write(`tessera: ${message}\n`);
    return error instanceof CliFault ? error.exitCode : 1;
  }
};
