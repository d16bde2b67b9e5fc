/** What a batch says of its remaining time, and what its files are called. */
import t from 'tap';
import { getBatch } from '../../../src/db/tables/batches/batches.ts';
import { toBatchBody } from '../../../src/http/routes/account/batches/body.ts';
import { newSender, sharedBatchApp } from '../support.ts';

const { app, sql } = await sharedBatchApp();

t.test(
  'the remaining time is measured over the last half minute, and not told before it is known',
  async (t) => {
    const { make } = await newSender(app);
    const { id } = await make([{ data: 'x' }]);
    const [{ accountId }] = await sql<
      [{ accountId: string }]
    >`select account_id from batches where id = ${id}`;
    /** Returns what is told when pieces of a second were made so many seconds ago, and 10 of 19 are. */
    const remaining = async (...madeS: readonly number[]): Promise<number | null> => {
      let told: number | null = null;
      const rollBack = new Error('only for this test');
      const trial = sql.begin(async (tx) => {
        await tx`
        update batches set state = 'running', finished_at = null, estimated_ms = 19000, made_ms = 10000,
          started_at = now() - interval '1 hour' where id = ${id}`;
        await tx`delete from batch_pieces where batch_id = ${id}`;
        for (const [n, ago] of madeS.entries())
          await tx`
          insert into batch_pieces (batch_id, state, input, first_row, rows, start_byte, end_byte, file_rows, estimated_ms, codes, made_at)
          values (${id}, 'made', 1, ${n + 1}, 1, 0, 1, '{1}', 1000, 1, now() - ${ago} * interval '1 second')`;
        told = toBatchBody((await getBatch(tx, accountId, id))!).remaining_s;
        throw rollBack;
      });
      await trial.catch((error) => {
        if (error !== rollBack) throw error;
      });
      return told;
    };
    t.equal(await remaining(), null);
    t.equal(await remaining(4, 3, 2, 1), null, 'the first pieces come all at once');
    t.equal(await remaining(20, 16, 12, 8, 4), 45, 'four seconds of work in 20 seconds, and nine are left');
    t.equal(await remaining(3000, 2000, 100, 20, 16, 12, 8, 4), 45, 'however slow it was before');
    t.equal(await remaining(25), null);
  },
);

t.test(
  'a file is named after the folder, in any script, and with its number if there are several',
  async (t) => {
    const { make, part } = await newSender(app);
    const named = async (name: string): Promise<string> => {
      const { id } = await make([{ data: 'x' }], { query: `?folder_name=${encodeURIComponent(name)}` });
      const [, one] =
        /^attachment; (.*)$/.exec((await part(id)).headers['content-disposition'] as string) ?? [];
      await sql`update batches set rows = 120000 where id = ${id}`;
      const { headers } = await part(id);
      await sql`update batches set rows = 1 where id = ${id}`;
      return `${one} | ${/filename\*=UTF-8''(.*)$/.exec(headers['content-disposition'] as string)?.[1]}`;
    };
    t.equal(
      await named('Spring mailing'),
      `filename="Spring mailing.zip"; filename*=UTF-8''Spring%20mailing.zip | Spring%20mailing%201%20of%203.zip`,
    );
    t.match(
      await named('Frühling: "a/b"'),
      /^filename="Fruhling_ _a_b_\.zip"; filename\*=UTF-8''Fr%C3%BChling_/,
    );
    const long = await named('春'.repeat(150));
    t.match(decodeURIComponent(long.split(' | ')[1]!), /^春{80} 1 of 3\.zip$/);
  },
);
