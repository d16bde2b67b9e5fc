/** The process: reads the environment, starts the app, and ends it in order when a signal asks for that. */
import closeWithGrace from 'close-with-grace';
import { readOrCreateAdminToken } from './accounts/admin-token.ts';
import { type App, createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { welcome } from './welcome.ts';

/** Above what `App.close` takes after its grace, also when neither Redis nor Postgres answers. */
const SHUTDOWN_TIMEOUT_MS = 70_000;

/** For people at a terminal; the log has JSON lines of its own. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const complain = (message: string): void => void process.stderr.write(`${message}\n`);

const withAdminToken = async (config: Config): Promise<{ config: Config; tokenPath: string | null }> => {
  if (config.adminToken !== null || config.databaseUrl !== null) return { config, tokenPath: null };
  const { token, path } = await readOrCreateAdminToken(config.dataDir);
  return { config: { ...config, adminToken: token }, tokenPath: path };
};

/** process.exit waits for threads, also for one that hangs in native code. */
const killItself = () => process.kill(process.pid, 'SIGKILL');

const endOnSignal = (app: App, graceMs: number): void => {
  const options = {
    delay: graceMs + SHUTDOWN_TIMEOUT_MS,
    logger: app.gateway.log,
    onTimeout: killItself,
  };
  closeWithGrace(options, async ({ err, signal }) => {
    if (err !== undefined) app.gateway.log.fatal({ err }, 'ending after an error that nothing handled');
    else app.gateway.log.info({ signal }, 'ending');
    await app.close();
    if (app.stuckThreads > 0) killItself();
  });
};

const start = async (): Promise<void> => {
  const { config, tokenPath } = await withAdminToken(readConfig(process.env));
  if (config.databaseUrl === null) {
    say(`Opening the embedded database in ${config.dataDir} (the first start takes some seconds) …`);
  }
  const app = await createApp(config, () => process.kill(process.pid, 'SIGTERM'));
  endOnSignal(app, config.shutdownGraceMs);
  await app.listen();
  const url = app.publicUrl();
  say(app.demoKey === null ? `Tessera is ready at ${url}` : welcome(url, app.demoKey, tokenPath));
};

start().catch((error: unknown) => {
  // Faults of the environment and of what the gateway needs are one line each; anything else is a bug.
  if (error instanceof ConfigError) complain(error.message);
  else complain(`Tessera cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
