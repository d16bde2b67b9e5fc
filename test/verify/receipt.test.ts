/** Receipts by themselves: signatures, detection of changes, and independent verification. */
import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { checkReceipt, writeReceipt } from '../../src/verify/receipt/document.ts';
import { createKey, createSigner, toCanonicalJson, verifyJws } from '../../src/verify/receipt/jws.ts';
import { createTroubles, writePage } from '../../src/verify/receipt/page.ts';
import { createTotals, type Entry, entryLine, writeStatement } from '../../src/verify/receipt/statement.ts';
import { holds } from '../support/pictures/designs.ts';

const signer = createSigner(createKey());
const EVERYWHERE = ['sharp', 'blurred', 'small'] as const;

const entryOf = (value: string): Entry => ({
  id: '5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11',
  sha256: 'ab'.repeat(32),
  grade: 4,
  result: 'passed',
  text: value,
  read: { zxing: EVERYWHERE, zbar: EVERYWHERE },
});

/** A receipt for these texts, with its lines in pages of two. */
const receiptOf = async (texts: readonly string[], by = signer): Promise<string> => {
  const lines = texts.map((value) => entryLine(entryOf(value)));
  const totals = createTotals();
  lines.forEach(totals.add);
  const subject = {
    id: 'r',
    installation: 'https://qr.example',
    folder: { id: 'f', name: 'Cups' },
    begunAt: new Date(0),
    software: { zxing: 'zxing 1' },
    unfinishedBatches: 0,
  };
  const statement = writeStatement(subject, new Date(1000), totals.end());
  async function* pages() {
    for (let at = 0; at < lines.length; at += 2) yield lines.slice(at, at + 2).join('\n');
  }
  return text(writeReceipt({ statement, jws: by.sign(statement) }, pages()));
};

t.test('a receipt for any texts is valid, even after another program has reformatted its JSON', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 7 }),
      async (texts) => {
        const receipt = await receiptOf(texts);
        const rewritten = JSON.stringify(
          Object.fromEntries(Object.entries(JSON.parse(receipt)).reverse()),
          null,
          4,
        );
        const checked = [receipt, rewritten].map((written) => checkReceipt(written, [signer.publicKey]));
        return checked.every((result) => result.ok && result.value.codes.length === texts.length);
      },
    ),
    { numRuns: 50 },
  );
});

t.test('any change to the statement of a receipt is detected', async (t) => {
  const receipt = await receiptOf(['one', 'two', 'three']);
  // The last character of a base64url text has unused bits.
  const last = receipt.indexOf('",\n"codes"') - 1;
  holds(
    t,
    fc.property(fc.nat(receipt.length - 1), fc.integer({ min: 32, max: 126 }), (at, code) => {
      const changed = receipt.slice(0, at) + String.fromCharCode(code) + receipt.slice(at + 1);
      const same = (() => {
        try {
          return toCanonicalJson(JSON.parse(changed)) === toCanonicalJson(JSON.parse(receipt));
        } catch {
          return false;
        }
      })();
      return same || at === last || !checkReceipt(changed, [signer.publicKey]).ok;
    }),
  );
  const parsed = JSON.parse(receipt);
  const check = (value: unknown) => checkReceipt(JSON.stringify(value), [signer.publicKey]);
  const swapped = { ...parsed, codes: [parsed.codes[1], parsed.codes[0], parsed.codes[2]] };
  t.match(check(swapped), { ok: false, fault: 'its codes are not those that were signed' });
  t.match(check({ ...parsed, codes: parsed.codes.slice(1) }), { ok: false });
  const other = JSON.parse(await receiptOf(['one', 'two', 'four']));
  t.match(check({ ...parsed, codes: other.codes }), { ok: false }, 'the codes of another receipt');
  t.match(check({ ...parsed, statement: other.statement }), {
    ok: false,
    fault: 'its statement is not the one that was signed',
  });
});

t.test('a receipt with another key, without a key or with another algorithm is rejected', async (t) => {
  const stranger = createSigner(createKey());
  const forged = await receiptOf(['x'], stranger);
  t.match(checkReceipt(forged, [signer.publicKey]), { fault: /another key/ });
  const posing = { ...stranger.publicKey, kid: signer.publicKey.kid };
  t.match(checkReceipt(await receiptOf(['x']), [posing]), { fault: 'its signature is wrong' });
  const [, payload] = signer.sign('{}').split('.');
  const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { kid } = signer.publicKey;
  for (const head of [{ alg: 'none', kid, typ: 'tessera-receipt' }, { alg: 'EdDSA', kid }, null, 5]) {
    t.notOk(verifyJws(`${header(head as object)}.${payload}.`, [signer.publicKey]).ok, JSON.stringify(head));
  }
  for (const jws of ['', '.', '..', '...', 'a.b.c.d', '\0'])
    t.notOk(verifyJws(jws, [signer.publicKey]).ok, jws);
});

t.test('hostile files are rejected without an exception', async (t) => {
  const { jws } = JSON.parse(await receiptOf([]));
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const files = ['', '{', 'null', '[]', '{"codes":[],"jws":5}', `{"jws":"${jws}","codes":[null,5,${deep}]}`];
  for (const file of files) t.notOk(checkReceipt(file, [signer.publicKey]).ok, file.slice(0, 40));
  const polluted = `{"__proto__":{"jws":"x"},"jws":"${jws}","codes":[{"__proto__":5}],"statement":1}`;
  t.notOk(checkReceipt(polluted, [signer.publicKey]).ok);
});

t.test('a third party can verify a receipt with only node:crypto, and with only openssl', async (t) => {
  const receipt = JSON.parse(await receiptOf(['one', 'two']));
  const [head, payload, signature] = receipt.jws.split('.');
  const { kty, crv, x } = signer.publicKey;
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  t.ok(verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url')));
  t.equal(Buffer.from(payload, 'base64url').toString(), toCanonicalJson(receipt.statement));

  const folder = t.testdir({});
  const inFolder = (name: string) => join(folder, name);
  await writeFile(inFolder('key.pem'), key.export({ type: 'spki', format: 'pem' }));
  await writeFile(inFolder('signed'), `${head}.${payload}`);
  await writeFile(inFolder('signature'), Buffer.from(signature, 'base64url'));
  const args = ['-verify', '-rawin', '-pubin', '-inkey', 'key.pem', '-in', 'signed', '-sigfile', 'signature'];
  const { stdout } = await promisify(execFile)('openssl', ['pkeyutl', ...args], { cwd: folder });
  t.match(stdout, /Verified Successfully/);
});

t.test('canonical JSON follows RFC 8785', async (t) => {
  const value = { b: [1, 'ü', null, true], '\u20ac': 1, '\r': '\u0007"\\', a: { c: undefined, B: 2 } };
  t.equal(toCanonicalJson(value), '{"\\r":"\\u0007\\"\\\\","a":{"B":2},"b":[1,"ü",null,true],"€":1}');
});

t.test('the page lists the first codes that were not read everywhere, and counts the rest', async (t) => {
  const troubles = createTroubles();
  const weak = {
    ...entryOf('x'),
    result: 'weak' as const,
    read: { zxing: EVERYWHERE, zbar: ['sharp' as const] },
  };
  for (let i = 0; i < 40; i += 1) troubles.add(entryLine({ ...weak, text: `weak ${i}` }));
  troubles.add(entryLine(entryOf('fine')));
  const receipt = JSON.parse(await receiptOf(['a']));
  const page = writePage(receipt, troubles.all);
  t.match(page, 'weak 24');
  t.notMatch(page, /weak 25|fine/);
  t.match(page, 'And 15 more');
  t.match(page, 'not read by zbar when blurred, by zbar when small');
});
