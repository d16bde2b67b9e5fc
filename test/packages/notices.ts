/** `npm run notices` writes THIRD-PARTY-NOTICES.md. */
import { writeFileSync } from 'node:fs';
import { commandLine } from '../support/command.ts';
import { NOTICES, notices } from './third-party.ts';

commandLine({
  name: 'npm run notices',
  about:
    'Writes THIRD-PARTY-NOTICES.md from the lock file and the installed packages: the packages that run in production or are part of the dashboard, with their licences.',
  options: {},
  examples: [['', 'writes the file, after a package was added, removed or changed']],
});

writeFileSync(NOTICES, notices());
