/** The process of a gateway, or of a supervisor of several: reads the environment, starts, and ends on a signal. */
import cluster from 'node:cluster';
import { hostname } from 'node:os';
import { readOrCreateAdminToken, writeDemoKey } from './accounts/first-start.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { endInOrder, killItself, onHangup, WITHOUT_HANGUP } from './process/ending.ts';
import {
  checkAddress,
  checkDataDir,
  explainListening,
  howToBegin,
  nameKeyFile,
  showKey,
  welcome,
} from './process/start.ts';

/** Longer than `App.close` takes after its grace, even when Redis and Postgres are unavailable. */
const SHUTDOWN_TIMEOUT_MS = 70_000;

/** Prints a text for people on a terminal. Elsewhere it is one line of the log, so that every line there is JSON. */
const say = (text: string): void => {
  const line = { level: 30, time: Date.now(), pid: process.pid, hostname: hostname(), msg: text.trim() };
  process.stdout.write(`${process.stdout.isTTY ? text : JSON.stringify(line)}\n`);
};

// A terminal, a reader or a disk that takes no more text is no reason to stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const complain = (message: string): void => void process.stderr.write(`${message}\n`);

const checkEnvironment = async (config: Config): Promise<void> => {
  await checkAddress(config);
  if (config.databaseUrl === null) await checkDataDir(config.dataDir);
};

const withAdminToken = async (config: Config): Promise<{ config: Config; tokenPath: string | null }> => {
  if (config.adminToken !== null || config.databaseUrl !== null) return { config, tokenPath: null };
  const { token, path } = await readOrCreateAdminToken(config.dataDir);
  return { config: { ...config, adminToken: token }, tokenPath: path };
};

const explaining = (config: Config) => (error: unknown) => {
  throw explainListening(error, config);
};

/** Runs the only gateway process. */
const runAlone = async (given: Config): Promise<void> => {
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
  await app.listen().catch(explaining(config));
  const url = app.publicUrl();
  const tell = async (key: string): Promise<void> => {
    // A log is kept, and more people read it than the one at a terminal.
    const told = process.stdout.isTTY ? showKey(key) : nameKeyFile(await writeDemoKey(config.dataDir, key));
    say(welcome(url, told, tokenPath));
  };
  const hasAccounts = await app.makeFirstAccount(tell);
  if (!hasAccounts) say(howToBegin(url, config.adminToken !== null, tokenPath));
  say(`Tessera is ready at ${url}`);
};

/** Runs one of several gateway processes. Its supervisor has checked the environment, and prints for people. */
const runUnderSupervisor = async (config: Config): Promise<void> => {
  const { joinSupervisor } = await import('./supervisor/channel.ts');
  const supervisor = joinSupervisor();
  // A signal to the process group arrives here too; this one is meant for the supervisor.
  onHangup(() => {});
  const { createApp } = await import('./app.ts');
  const app = await createApp(config, () => process.kill(process.pid, 'SIGTERM'), supervisor.publish);
  let ending = false;
  let isReplaced = false;
  const end = async (): Promise<void> => {
    ending = true;
    await app.close({ isReplaced });
    await supervisor.sayLast();
    if (app.stuckThreads > 0) killItself();
  };
  const log = app.gateway.log;
  const timeoutMs = config.shutdownGraceMs + SHUTDOWN_TIMEOUT_MS;
  const endNow = endInOrder(end, timeoutMs, log, WITHOUT_HANGUP);
  const endAsReplaced = (reason: string): void => {
    isReplaced = true;
    endNow(reason);
  };
  supervisor.onRetired(() => endAsReplaced('another process serves in its place'));
  // A supervisor that is gone while this process shuts down was killed, so this process kills itself too.
  supervisor.onOrphaned(() => (ending ? killItself() : endAsReplaced('the supervisor is gone')));
  await app.listen().catch(explaining(config));
  const hasAccounts = await app.makeFirstAccount(() => {});
  supervisor.serves({ url: app.publicUrl(), hasAccounts });
};

/** Runs the supervisor of several gateway processes. */
const runSupervisor = async (config: Config): Promise<void> => {
  const { supervise } = await import('./supervisor/run.ts');
  const begun = await supervise(config, config.shutdownGraceMs + SHUTDOWN_TIMEOUT_MS);
  if (begun.outcome === 'ended') return;
  if (begun.outcome === 'failed') {
    const { code, signal } = begun.ended;
    // A process that exits with 1 has already printed why, like one that runs alone.
    if (code !== 1) complain(`Tessera cannot start: a gateway process ended with ${signal ?? code}`);
    process.exit(1);
  }
  const { url, hasAccounts } = begun.ready;
  if (!hasAccounts) say(howToBegin(url, config.adminToken !== null, null));
  say(`Tessera is ready at ${url} (${config.gateways} processes)`);
};

const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  if (cluster.isWorker) return runUnderSupervisor(config);
  for (const note of config.notes) say(note);
  await checkEnvironment(config);
  return config.gateways === 1 ? runAlone(config) : runSupervisor(config);
};

start().catch((error: unknown) => {
  // A fault of the environment names its variable. For any other error, the message is printed.
  if (error instanceof ConfigError) complain(error.message);
  else complain(`Tessera cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
