import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestScope } from './server-process.ts';

/** Makes an empty folder, which is removed when the scope ends. */
export const temporaryFolder = async (scope: TestScope): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-test-data-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
