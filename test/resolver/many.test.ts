/** Changes of many items hold up no other request. */
import t from 'tap';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { claimKeys, type Item, insertItems } from '../../src/db/tables/items.ts';
import { changeItems } from '../../src/resolver/edit-items.ts';
import { DATABASES } from '../support/database/kinds.ts';

const MANY = 220;

for (const [kind, open] of Object.entries(DATABASES)) {
  t.test(`of many items at most fifty are changed in a turn of the event loop, in ${kind}`, async (t) => {
    const database = await open(t);
    const { id: accountId } = await createAccount(database.sql, {
      ...{ name: 'Ada', plan: 'pro', monthlyQuota: null },
    });
    const link = { rel: 'gs1:pip', href: 'https://brand.example/', title: 'page' };
    const links = [{ ...link, hreflang: [], type: null, context: [], isDefault: true }];
    const keyPath = '/01/09521321000018';
    const items = Array.from({ length: MANY }, (_, n) => ({
      ...{ path: `${keyPath}/21/${n}`, keyPath, shape: '/21', links },
    }));
    const editor = { accountId, keyId: null, changeId: null };
    const made = await database.sql.begin(async (tx) => {
      await claimKeys(tx, accountId, [{ keyPath, shape: '/21' }]);
      return insertItems(tx, items, editor);
    });

    let [turn, isOver] = [0, false];
    const count = (): void => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const perTurn = new Map<number, number>();
    const nextOf = ({ links }: Item) => {
      perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
      return links.map((one) => ({ ...one, title: 'another' }));
    };
    const done = await changeItems(database, editor, made, nextOf);
    isOver = true;
    t.match(done, { items: MANY, changed: MANY });
    t.ok(Math.max(...perTurn.values()) <= 50, `${[...perTurn.values()]} in a turn`);
  });
}
