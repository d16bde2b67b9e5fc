/** The code in docs/api/pictures.md that signs an address, run in each language that is installed. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { pictureOf, sharedApp } from '../support/app/app.ts';
import { blocksOf, readPage } from './pages.ts';

const run = promisify(execFile);
const folder = await temporaryFolder(t);
const { call, account } = await sharedApp();
const { key } = await account();
const { id, secret } = (await call({ method: 'POST', url: '/api/v1/signing-secrets', key })).json;

const DATA = 'Café "日本" \\ https://example.com/?a=1&b=2';
const GIVEN = { id, secret, base: 'http://qr.test', data: DATA };
const given = (line: (name: string, value: string) => string): string =>
  Object.entries(GIVEN)
    .map(([name, value]) => line(name, JSON.stringify(value)))
    .join('\n');

interface Language {
  /** Whether the test fails when the language is not installed. */
  readonly isNeeded: boolean;
  readonly command: readonly [string, ...string[]];
  readonly file: string;
  /** Turns the code of the page into a program that prints the address. */
  program(lines: string): string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  js: {
    isNeeded: true,
    command: [process.execPath],
    file: 'sign.mjs',
    program: (lines) =>
      `import { createHmac } from 'node:crypto';
${given((name, value) => `const ${name} = ${value};`)}
${lines}
console.log(url);`,
  },
  python: {
    isNeeded: true,
    command: ['python3'],
    file: 'sign.py',
    program: (lines) =>
      `import hmac, json
from base64 import urlsafe_b64encode
${given((name, value) => `${name} = ${value}`)}
${lines}
print(url)`,
  },
  php: {
    isNeeded: false,
    command: ['php'],
    file: 'sign.php',
    program: (lines) =>
      `<?php
${given((name, value) => `$${name} = json_decode(${`'${value.replaceAll('\\', '\\\\')}'`});`)}
${lines}
echo $url;`,
  },
  go: {
    isNeeded: false,
    command: ['go', 'run'],
    file: 'sign.go',
    program: (lines) =>
      `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "fmt")
func main() {
${given((name, value) => `${name} := ${value}`)}
${lines}
fmt.Println(url)
}`,
  },
};

import { temporaryFolder } from '../servers/temporary-folder.ts';

/** Whether a command is installed. */
const has = (command: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  );

const [, section = ''] = readPage('docs/api/pictures.md').split('\n### Signing on your own server\n');
const blocks = blocksOf(section).filter(({ language }) => language !== 'json');

t.test('the page has a code block for each language', async (t) => {
  t.strictSame(blocks.map(({ language }) => language).sort(), Object.keys(LANGUAGES).sort());
});

for (const { language, text } of blocks) {
  const { isNeeded, command, file, program } = LANGUAGES[language]!;
  t.test(`an address signed in ${language} shows its picture`, async (t) => {
    if (!isNeeded && !(await has(command[0]))) {
      t.comment(`${command[0]} is not installed: this code was not run`);
      return;
    }
    const path = join(folder, file);
    await writeFile(path, program(text));
    const { stdout } = await run(command[0], [...command.slice(1), path], { cwd: folder });
    const address = new URL(stdout.trim());
    t.equal(address.origin, GIVEN.base);
    const shown = await call({ url: address.pathname });
    t.equal(shown.status, 200, shown.text.slice(0, 200));
    const body = { data: DATA, width: 400, height: 400 };
    const single = await call({ method: 'POST', url: '/api/v1/qr', key, body });
    t.ok(shown.bytes.equals(pictureOf(single)));
  });
}

t.test('all languages address the same picture, which is paid once', async (t) => {
  const { json } = await call({ url: '/api/v1/usage/history?group=kind', key });
  const images = json.data.filter((row) => (row as unknown as { kind: string }).kind === 'image');
  t.match(images, [{ units: 1 }]);
});
