/** A process that applies the migrations of a folder and prints what it does: `migrate-process.ts <url> <folder>`. */
import { pathToFileURL } from 'node:url';
import postgres from 'postgres';
import { readMigrations } from '../../../src/db/migrations/files.ts';
import { migrate } from '../../../src/db/migrations/migrate.ts';
import { onlineRun } from './online-run.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const tell = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
const sql = postgres(url, { max: 1, onnotice: () => {} });
const migrations = await readMigrations(pathToFileURL(`${folder}/`));
for (const name of await migrate(sql, migrations, onlineRun(url, { tell }))) tell(`applied ${name}`);
await sql.end();
