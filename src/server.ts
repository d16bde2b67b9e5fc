/** The process of a gateway: reads the environment, starts the app, and ends it in order on a signal. */
import { readOrCreateAdminToken } from './accounts/admin-token.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { endInOrder, killItself } from './ending.ts';
import { checkAddress, checkDataDir, explainListening } from './preflight.ts';
import { howToBegin, welcome } from './welcome.ts';

/** Longer than `App.close` takes after its grace, even when Redis and Postgres are unavailable. */
const SHUTDOWN_TIMEOUT_MS = 70_000;

/** Prints a line for people. The log has JSON lines of its own. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const complain = (message: string): void => void process.stderr.write(`${message}\n`);

const withAdminToken = async (config: Config): Promise<{ config: Config; tokenPath: string | null }> => {
  if (config.adminToken !== null || config.databaseUrl !== null) return { config, tokenPath: null };
  const { token, path } = await readOrCreateAdminToken(config.dataDir);
  return { config: { ...config, adminToken: token }, tokenPath: path };
};

const start = async (): Promise<void> => {
  const given = readConfig(process.env);
  await checkAddress(given);
  if (given.databaseUrl === null) await checkDataDir(given.dataDir);
  const { config, tokenPath } = await withAdminToken(given);
  if (config.databaseUrl === null) {
    say(`Opening the embedded database in ${config.dataDir} (the first start takes some seconds) …`);
  }
  // Loading the modules takes a second, so faults of the environment are reported before that.
  const { createApp } = await import('./app.ts');
  const app = await createApp(config, () => process.kill(process.pid, 'SIGTERM'));
  const end = async (): Promise<void> => {
    await app.close();
    if (app.stuckThreads > 0) killItself();
  };
  endInOrder(end, config.shutdownGraceMs + SHUTDOWN_TIMEOUT_MS, app.gateway.log);
  await app.listen().catch((error: unknown) => {
    throw explainListening(error, config);
  });
  const url = app.publicUrl();
  const hasAccounts = await app.makeFirstAccount((key) => say(welcome(url, key, tokenPath)));
  if (!hasAccounts) say(howToBegin(url, config.adminToken !== null));
  say(`Tessera is ready at ${url}`);
};

start().catch((error: unknown) => {
  // A fault of the environment names its variable. Of any other error the message is printed.
  if (error instanceof ConfigError) complain(error.message);
  else complain(`Tessera cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
