/** `npm run load:agent -- --listen 10.0.0.7:7400` makes loads for a coordinator on another machine. */
import { inScope } from '../../test/servers/scope.ts';
import { commandLine, misuseBy } from '../../test/support/command.ts';
import { say } from '../say.ts';
import { startAgent } from './agent.ts';
import { AGENT } from './options.ts';
import { AgentFault, readSecret } from './wire.ts';

const { wanted } = commandLine(AGENT);
await inScope(async (scope) => {
  say(`listening on ${await startAgent(scope, { ...wanted, secret: readSecret() })}`);
  await new Promise(() => {});
}).catch(misuseBy(AgentFault));
