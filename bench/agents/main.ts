/** `npm run load:agent -- --listen 10.0.0.7:7400` makes loads for a coordinator on another machine. */
import { inScope } from '../../test/servers/scope.ts';
import { commandLine, misuseBy } from '../../test/support/command.ts';
import { say } from '../say.ts';
import { startAgent } from './agent.ts';
import { AGENT } from './options.ts';
import { AgentFault, readSecret } from './wire.ts';

const { values } = commandLine(AGENT);
const { hostname, port } = new URL(`http://${values.listen}`);
await inScope(async (scope) => {
  const host = hostname.replace(/^\[|\]$/g, '');
  const options = { host, port: Number(port || 80), secret: readSecret() };
  say(`listening on ${await startAgent(scope, { ...options, allowRemote: values['allow-remote'] })}`);
  await new Promise(() => {});
}).catch(misuseBy(AgentFault));
