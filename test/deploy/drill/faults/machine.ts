/** Faults of a machine: threads, disk, processes and load. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { slowItems } from '../../../faults/stack.ts';
import { serve } from '../../../logo/network.ts';
import { until } from '../../../servers/until.ts';
import type { Fault, Scene } from '../scene.ts';

const CALLS = 250;
/** More reservations than the alert needs, because a busy machine refuses some calls. */
const OPEN = 150;
const KILL_EVERY_MS = 1000;
const BURST_EVERY_MS = 1000;
/** An account may have ten places in the queue of twenty. */
const BURST = 16;

/** Returns the child processes of a process. */
const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    if (Number(stat.split(') ')[1]?.split(' ')[1]) === pid) found.push(Number(name));
  }
  return found.sort((a, b) => a - b);
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Sends the supervisor single calls whose logo never arrives. Resolves when all are answered or cut off. */
const sendHanging = async ({ processes, key }: Scene, image: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ data: 'hangs', image });
  const send = () => fetch(`${processes.url}/api/v1/qr`, { method: 'POST', headers, body });
  await Promise.allSettled(Array.from({ length: CALLS }, send));
};

export const MACHINE: readonly Fault[] = [
  {
    what: 'a picture hangs a render thread',
    alerts: ['TesseraRenderThreadStuck'],
    make: async ({ hangThread }) => hangThread(),
  },
  {
    what: 'the disk has less than 2 GB left',
    alerts: ['TesseraDiskShort'],
    async make({ disk }) {
      const file = join(disk, 'file');
      execFileSync('fallocate', ['--length', '300M', file]);
      return () => rm(file);
    },
  },
  {
    what: `all processes of a supervisor are killed with ${OPEN} calls in progress`,
    alerts: ['TesseraReservationsExpire'],
    async make(scene) {
      const silent = await serve(() => {});
      const lost = sendHanging(scene, `http://127.0.0.1:${silent.port}/logo.png`);
      await until(async () => (await scene.stores.openReservations()) >= OPEN);
      for (const pid of await childrenOf(scene.processes.process.pid!)) kill(pid);
      await lost;
      return silent.close;
    },
  },
  {
    what: 'a gateway process is killed again and again',
    alerts: ['TesseraGatewayProcessesDie'],
    async make({ processes }) {
      const killOthers = async () => {
        for (const pid of (await childrenOf(processes.process.pid!)).slice(1)) kill(pid);
      };
      const killing = setInterval(() => void killOthers(), KILL_EVERY_MS);
      return () => clearInterval(killing);
    },
  },
  {
    what: 'the render queue is full',
    alerts: ['TesseraOverloaded'],
    async make({ single }) {
      // Each picture is new, so none comes from the cache.
      const sendMany = () =>
        Promise.all(slowItems(BURST, 600).map((item, n) => single({ ...item, data: `${Date.now()} ${n}` })));
      const burst = setInterval(() => void sendMany(), BURST_EVERY_MS);
      return () => clearInterval(burst);
    },
  },
];
