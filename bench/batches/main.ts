/**
 * `npm run bench:batches` measures batches: the rate and the cost of codes beside that of bulk calls, the memory of the
 * gateway, how others fare meanwhile, and the embedded database. `--help` lists the options.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, createAim } from '../../test/servers/account.ts';
import { startNodeServer } from '../../test/servers/node-server.ts';
import { inScope, type Scope } from '../../test/servers/scope.ts';
import {
  ADMIN_TOKEN,
  type Backends,
  GATEWAY_ENV,
  OWN_BUILD,
  startBackends,
  startGateway,
} from '../../test/servers/testbed.ts';
import { commandLine, misuse } from '../command/main.ts';
import { type Generator, startGenerator } from '../load/fire.ts';
import { describeMachine } from '../machine.ts';
import { figure, say } from '../say.ts';
import { shareBatches, singlesBeside, transfer } from './beside.ts';
import { createBatchClient } from './client.ts';
import { BATCHES, type BatchOptions, optionsOf } from './options.ts';
import { type BatchCost, measureBatch, settle } from './rate.ts';
import { judge, type Measured, showTables, writeBatches } from './report.ts';

/** Like `npm start`. */
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=16'];
const BULK_CONNECTIONS = 8;

/** Returns codes a second of dynamic codes that bulk calls save. */
const bulkRate = async (generator: Generator, url: string, run: string, seconds: number): Promise<number> => {
  const { key } = await createAccount(url, ADMIN_TOKEN, run);
  const aim = await createAim(url, key, run);
  const { tally, seconds: tookS } = await generator.closed({
    url,
    mix: [['bulk 100 dynamic', 1]],
    aim,
    firstSerial: 0,
    connections: BULK_CONNECTIONS,
    warmUpS: 5,
    seconds,
  });
  say(`${run}: ${figure(tally.codes / tookS)} codes/s`);
  return tally.codes / tookS;
};

const clientOf = async (url: string, name: string) =>
  createBatchClient(url, (await createAccount(url, ADMIN_TOKEN, name)).key);

/** Starts a gateway with an empty database. */
const startWith = (scope: Scope, backends: Backends, database: string) =>
  startGateway(scope, backends, {
    database,
    env: { REDIS_URL: backends.redis.url, BATCH_STORE: join(backends.folder, `${database}-batches`) },
  });

const onServers = async (options: BatchOptions): Promise<Measured> =>
  inScope(async (scope) => {
    const { rows, seconds, uploadBytes, stages } = options;
    const backends = await startBackends(scope);
    const generator = startGenerator(scope);
    let measured: Measured = {};
    let before = 0;
    if (stages.includes('rate')) {
      const bulkGateway = await startWith(scope, backends, 'bulk');
      before = await bulkRate(generator, bulkGateway.url, 'bulk calls before', seconds);
      await bulkGateway.stop();
    }
    const gateway = await startWith(scope, backends, 'batches');
    const { url } = gateway;
    const idle = await settle(gateway, backends);
    const [making, sending] = [await clientOf(url, 'making'), await clientOf(url, 'sending')];
    if (stages.includes('rate')) {
      const { id, cost } = await measureBatch(scope, idle, making, { run: 'batch', rows });
      measured = { ...measured, batch: cost };
      if (stages.includes('transfers')) {
        const job = { doneId: id, uploadBytes, rows };
        measured = { ...measured, transfers: await transfer(scope, idle, { making, sending }, job) };
      }
      const after = await bulkRate(generator, url, 'bulk calls after', seconds);
      measured = { ...measured, bulk: { before, after } };
    }
    if (stages.includes('sharing')) {
      const { key } = await createAccount(url, ADMIN_TOKEN, 'singles');
      const aim = await createAim(url, key, 'singles');
      const singles = await singlesBeside(generator, url, aim, making, { rows, seconds });
      const sharing = await shareBatches(making, sending, { rows, seconds });
      measured = { ...measured, singles, sharing };
    }
    const complaints = gateway.complaints();
    if (complaints !== '') say(`\nthe end of the gateway's log:\n${complaints}`);
    return measured;
  });

/** Measures a gateway without Redis and Postgres. */
const onEmbedded = (rows: number): Promise<BatchCost> =>
  inScope(async (scope) => {
    const folder = await mkdtemp(join(tmpdir(), 'tessera-bench-'));
    scope.teardown(() => rm(folder, { recursive: true, force: true }));
    const gateway = await startNodeServer(scope, folder, {
      name: 'embedded',
      script: join(OWN_BUILD, 'src/server.js'),
      readyPath: '/readyz',
      env: { ...GATEWAY_ENV, DATA_DIR: join(folder, 'data') },
      flags: FLAGS,
    });
    const idle = await settle(gateway, {});
    const client = await clientOf(gateway.url, 'making');
    return (await measureBatch(scope, idle, client, { run: 'embedded', rows })).cost;
  });

const run = async (options: BatchOptions): Promise<void> => {
  const machine = describeMachine('postgres');
  say(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load.toFixed(2)}`);
  const needsServers = options.stages.some((stage) => stage !== 'embedded');
  let measured: Measured = needsServers ? await onServers(options) : {};
  if (options.stages.includes('embedded'))
    measured = { ...measured, embedded: await onEmbedded(options.embeddedRows) };
  const verdicts = judge(measured);
  showTables(measured, verdicts);
  await writeBatches(options.folder, machine, measured);
  process.exitCode = verdicts.every(({ isMet }) => isMet) ? 0 : 1;
};

const { values, positionals } = commandLine(BATCHES);
const options = optionsOf(values, positionals);
if (typeof options === 'string') misuse(options);
else await run(options);
