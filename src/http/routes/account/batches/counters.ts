import Type from 'typebox';
import {
  blocksCompleteSince,
  type Counter,
  type CounterBlock,
  getCounter,
  listBlocks,
  listCounters,
  NUMBER_MAX,
  setCounter,
  takeNumbers,
} from '../../../../db/tables/batches/counters.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { orNull } from '../../../../stored-json.ts';
import { COUNTER_NAME } from '../../../../validation/formats.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { notFound, requireFound } from '../../../auth/require-found.ts';
import { fieldsOf, PageQuery, strict, Timestamp } from '../../../schemas/atoms.ts';
import { historySchema, toHistoryBody, toHistoryPage } from '../../../schemas/history.ts';
import type { Need } from '../../services.ts';

/** A call takes at most as many numbers as a batch has rows. */
const TAKEN_MAX = 1_000_000;

const Params = Type.Object({ name: Type.String({ pattern: COUNTER_NAME }) }, strict);

const NumberBody = Type.Integer({ minimum: 0, maximum: NUMBER_MAX });

const CounterBody = Type.Object(
  {
    name: Type.String(),
    next: Type.Integer({ description: 'The next number that it gives.' }),
    created_at: Timestamp,
  },
  { title: 'Counter' },
);

const toCounterBody = (counter: Counter) => fieldsOf(counter, 'name', 'next', 'createdAt');

const BlockBody = Type.Object(
  {
    first: Type.Integer(),
    last: Type.Integer(),
    batch_id: orNull(
      Type.String({
        format: 'uuid',
        description: 'Null: taken by `take`. Row n of the batch has number first + n - 1.',
      }),
    ),
    made: orNull(Type.Integer({ description: 'Rows of the batch whose codes were made so far.' })),
    failed: orNull(Type.Integer({ description: 'Rows that failed. No code has their numbers.' })),
    at: Timestamp,
  },
  { title: 'CounterBlock' },
);

const toBlockBody = (block: CounterBlock) =>
  fieldsOf(block, 'first', 'last', 'batchId', 'made', 'failed', 'at');

/** Adds the routes that list, make and raise counters, list the blocks that they gave out, and take one. */
export const counterRoutes = ofAccount(
  { tag: 'Batches', name: 'counters', scope: 'generate' },
  (route, { database: { sql }, batches: { countersMax } }: Need<'batches' | 'database'>) => {
    const requireCounter = async (accountId: string, name: string): Promise<Counter> =>
      requireFound('counter', await getCounter(sql, accountId, name));

    route('GET /counters', {
      operationId: 'listCounters',
      summary: 'Your counters, by name',
      description: 'Templates of batches name them. The list has all of them.',
      answer: Type.Object({ data: Type.Array(CounterBody) }, { title: 'CounterList' }),
      handle: async (_request, { accountId }) => ({
        data: (await listCounters(sql, accountId)).map(toCounterBody),
      }),
    });

    route('GET /counters/:name', {
      operationId: 'getCounter',
      summary: 'A counter, with its next number',
      description: 'A counter gives each number once, to the rows of batches or to `takeCounterNumbers`.',
      params: Params,
      answer: CounterBody,
      handle: async ({ params }, { accountId }) =>
        toCounterBody(await requireCounter(accountId, params.name)),
    });

    route('PUT /counters/:name', {
      operationId: 'putCounter',
      summary: 'Make a counter, or raise its next number',
      description: 'A number is never given twice, so a counter cannot be lowered or deleted.',
      params: Params,
      body: Type.Object(
        { next: NumberBody },
        { ...strict, title: 'CounterRequest', examples: [{ next: 100_000 }] },
      ),
      answer: CounterBody,
      change:
        async ({ params: { name }, body: { next } }, { accountId }) =>
        async ({ sql: tx }) => {
          const set = await setCounter(tx, accountId, { name, next, maxPerAccount: countersMax });
          if (set.ok) return toCounterBody(set.value);
          if (set.fault === 'full')
            throw new AppError(
              'limit_reached',
              `An account may have ${countersMax} counters; use an existing one.`,
            );
          throw fieldError('next', `must be at least ${set.fault}: a number is never given twice`);
        },
    });

    route('GET /counters/:name/blocks', {
      operationId: 'listCounterBlocks',
      summary: 'The blocks of numbers that a counter gave, newest first',
      description: 'Each block is that of one batch, or was taken by `takeCounterNumbers`.',
      params: Params,
      querystring: PageQuery,
      answer: historySchema(BlockBody),
      handle: async ({ params, query }, { accountId }) => {
        const { beforeId: before, limit } = toHistoryPage(query);
        const { name } = await requireCounter(accountId, params.name);
        const blocks = await listBlocks(sql, accountId, name, { before, limit });
        const rows = blocks.map((block) => ({ ...block, id: block.first }));
        const since = await blocksCompleteSince(sql, accountId, name);
        return toHistoryBody(rows, { beforeId: before, limit }, toBlockBody, since);
      },
    });

    route('POST /counters/:name/take', {
      operationId: 'takeCounterNumbers',
      summary: 'Take a block of numbers to print elsewhere',
      description: 'No batch gets these numbers afterwards. They cannot be given back.',
      params: Params,
      body: Type.Object(
        { count: Type.Integer({ minimum: 1, maximum: TAKEN_MAX }) },
        { ...strict, title: 'CounterTake', examples: [{ count: 500 }] },
      ),
      answer: Type.Object({ first: Type.Integer(), last: Type.Integer() }, { title: 'CounterNumbers' }),
      change:
        async ({ params, body: { count } }, { accountId }) =>
        async ({ sql: tx }) => {
          const taken = await takeNumbers(tx, accountId, params.name, count);
          if (taken.ok) return { first: taken.value, last: taken.value + count - 1 };
          if (taken.fault === 'missing') throw notFound('counter');
          throw fieldError('count', `must be at most ${taken.fault}: numbers have at most fifteen digits`);
        },
    });
  },
);
