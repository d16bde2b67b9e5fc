/** `npm run notices` writes THIRD-PARTY-NOTICES.md. */
import { writeFileSync } from 'node:fs';
import { NOTICES, notices } from './third-party.ts';

writeFileSync(NOTICES, notices());
