import { openSync } from 'node:fs';
import type { RenderGroup } from '../../workers/group.ts';
import type { RenderResult, RenderTask, TaskResult } from '../../workers/protocol.ts';
import { readThreadId, readTimeMs } from '../../workers/thread-time.ts';

const threadId = readThreadId();

/**
 * Stands in for the renderer. The text of a task says what to do.
 *
 * `hold` waits until the test releases the shared memory behind the task's logo, or the thread is terminated. `sleep`
 * takes the given number of milliseconds, `spin` that much processor time. `read` opens a named pipe, which is native code that nothing can interrupt
 * until the test opens the other end. Any other text is the answer itself.
 */
const act = ({ text, logo }: RenderTask): RenderResult => {
  const [verb, argument] = text.split(' ');
  if (verb === 'hold') Atomics.wait(new Int32Array(logo!.png.buffer as SharedArrayBuffer), 0, 0, 20_000);
  if (verb === 'read') openSync(argument!, 'r');
  if (verb === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(argument));
  if (verb === 'spin') {
    const endMs = readTimeMs(threadId)! + Number(argument);
    while (readTimeMs(threadId)! < endMs);
  }
  if (verb === 'throw') throw new Error('the fake renderer was asked to throw');
  if (verb === 'exit') process.exit(3);
  if (verb === 'fault') return { ok: false, fault: { field: 'data', message: 'can’t be drawn' } };
  return {
    ok: true,
    value: {
      bytes: new TextEncoder().encode(text),
      lane: 'plain',
      grade: 4,
      warnings: '',
      renderMs: 1,
    },
  };
};

export default ({ tasks, at }: RenderGroup): TaskResult[] =>
  tasks.some(({ text }) => text === 'lose')
    ? []
    : tasks.map((task, index) => {
        Atomics.store(at, 0, index);
        Atomics.store(at, 1, threadId);
        return act(task as RenderTask);
      });
