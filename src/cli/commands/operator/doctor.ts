/** `tessera doctor` and `tessera ledger verify`: they change nothing, and exit with 1 when something fails or differs. */
import type { Command } from 'commander';
import type { Finding } from '../../../doctor/finding.ts';
import { isUuid, pluralise } from '../../../texts.ts';
import { print } from '../../admin.ts';
import { commandError, formatCount, formatTable, type Terminal, usageError } from '../../terminal.ts';

interface Options {
  readonly account?: string;
  readonly json?: true;
  readonly all?: true;
}

const HERE = `
It reads the settings of the gateway from the environment (DATABASE_URL, REDIS_URL, DATA_DIR and the others), so run
it where and as the gateway runs. It changes nothing. The embedded database can be looked at only while
no gateway runs on it.`;

const DOCTOR_HELP = `${HERE}

Exit codes: 0 nothing fails (there may be warnings), 1 something does, 2 usage error.`;
const LEDGER_HELP = `${HERE}

Exit codes: 0 all agree, 1 something differs or cannot be compared, 2 usage error.`;

const ORDER = { ok: 'ok', warn: 'WARN', fail: 'FAIL' } as const;

const numberOf = (findings: readonly Finding[], state: Finding['state']): number =>
  findings.filter((finding) => finding.state === state).length;

const summary = (findings: readonly Finding[]): string => {
  const [warnings, failures] = [numberOf(findings, 'warn'), numberOf(findings, 'fail')];
  if (warnings + failures === 0) return 'All is well.\n';
  return `${formatCount(failures)} failed, ${formatCount(warnings)} to look at.\n`;
};

const examineAndTell = async (options: Options, terminal: Terminal): Promise<void> => {
  // The stores' clients are loaded by this command alone.
  const { examine } = await import('../../../doctor/doctor.ts');
  const findings = await examine(terminal.env, options.all === true);
  const failures = numberOf(findings, 'fail');
  const body = { ok: failures === 0, warnings: numberOf(findings, 'warn'), failures, findings };
  const rows = findings.map(({ check, state, message }) => [ORDER[state], check, message]);
  print(terminal, options, body, `${formatTable(['', 'CHECK', 'WHAT'], rows)}${summary(findings)}`);
  if (failures > 0) throw commandError(`${pluralise(failures, 'check')} failed`);
};

const SHOWN = 100;

const verifyAndTell = async (options: Options, terminal: Terminal): Promise<void> => {
  const { account } = options;
  if (account !== undefined && !isUuid(account)) throw usageError(`${account} is not the id of an account`);
  const [{ verify }, { tellDifference }, { ConfigError }] = await Promise.all([
    import('../../../doctor/doctor.ts'),
    import('../../../doctor/checks/ledger.ts'),
    import('../../../config/config.ts'),
  ]);
  const verdict = await verify(terminal.env, account ?? null).catch((error: unknown) => {
    throw error instanceof ConfigError ? commandError(error.message) : error;
  });
  if (!verdict.ok) throw commandError(verdict.fault);
  const { accounts, differences, redis } = verdict.value;
  const compared = `${pluralise(accounts, 'balance')} compared with the records${redis ? ' and with Redis' : ''}`;
  const lines = differences.slice(0, SHOWN).map((difference) => `  ${tellDifference(difference)}\n`);
  const text = `${compared}: ${pluralise(differences.length, 'difference')}.\n${lines.join('')}`;
  print(terminal, options, { accounts, redis, differences }, text);
  if (differences.length > 0) throw commandError(pluralise(differences.length, 'difference'));
  if (account !== undefined && accounts === 0)
    throw commandError('that account has no balance: it has never used a unit');
};

/** Adds `doctor` and `ledger verify`. */
export const addDoctorCommands = (program: Command, terminal: Terminal): void => {
  program
    .command('doctor')
    .description('check the settings, stores, clocks, disks, ledger, files and rows of an installation')
    .option(
      '--all',
      'look at every balance and link, not at samples of them; takes minutes when there are millions',
    )
    .option('--json', 'print the findings as JSON, for scripts')
    .addHelpText('after', DOCTOR_HELP)
    .action((options: Options) => examineAndTell(options, terminal));

  program
    .command('ledger')
    .description('compare balances with their records')
    .command('verify')
    .description('compare every balance with the sum of its records and with Redis, while calls are served')
    .option('--account <id>', 'compare only the balance of this account')
    .option('--json', 'print the findings as JSON, for scripts')
    .addHelpText('after', LEDGER_HELP)
    .action((options: Options) => verifyAndTell(options, terminal));
};
