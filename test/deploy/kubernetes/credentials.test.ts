/** Gateways of deploy/kubernetes can access the batch bucket after the setup in docs/operations/kubernetes.md. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createS3Store } from '../../../src/storage/s3.ts';
import { blocksOf, readPage } from '../../docs/pages.ts';
import { serve } from '../../servers/listen.ts';
import { BUCKET, CREDENTIALS, startS3 } from '../../servers/s3.ts';
import { kustomization } from './resources.ts';

const { endpoint } = await startS3(t);
const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = CREDENTIALS;

/** Accesses the bucket with nothing but this environment. */
const check = async (t: Test, env: Readonly<Record<string, string>>): Promise<void> => {
  for (const name of Object.keys(CREDENTIALS)) delete process.env[name];
  Object.assign(process.env, env, { AWS_EC2_METADATA_DISABLED: 'true' });
  t.teardown(() => {
    for (const name of Object.keys(env)) delete process.env[name];
  });
  const store = createS3Store({ bucket: BUCKET, prefix: 'batches', endpoint, region: null });
  await store.check();
};

const START = blocksOf(readPage('docs/operations/kubernetes.md')).find(({ text }) =>
  text.startsWith('docker build'),
)!;

t.test('the setup commands write every file of the secret, and its credentials are used', async (t) => {
  const folder = t.testdir();
  await mkdir(join(folder, 'secrets'));
  const script = START.text
    .split('\n')
    .filter((line) => line.includes(' > secrets/'))
    .join('\n')
    .replace('AKIAEXAMPLE', id)
    .replace('secret-of-it', secret);
  await promisify(execFile)('bash', ['-euc', script], { cwd: folder });
  const { stdout } = await promisify(execFile)('ls', [join(folder, 'secrets')]);
  const [{ files }] = kustomization.secretGenerator;
  t.strictSame(
    stdout.trim().split('\n').sort(),
    files.map((pair: string) => pair.replace(/.*\//, '')).sort(),
  );
  await check(t, { AWS_SHARED_CREDENTIALS_FILE: join(folder, 'secrets/AWS_CREDENTIALS') });
});

t.test('with an empty credentials file the role of the pod is used; without one access fails', async (t) => {
  const path = join(t.testdir(), 'AWS_CREDENTIALS');
  await writeFile(path, '');
  const env = { AWS_SHARED_CREDENTIALS_FILE: path };
  await t.rejects(check(t, env), /credentials/i);
  const role = { AccessKeyId: id, SecretAccessKey: secret, Expiration: new Date(Date.now() + 3_600_000) };
  const agent = await serve(t, (_, answer) => answer.end(JSON.stringify({ ...role, Token: '' })));
  await check(t, { ...env, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent}/` });
});
