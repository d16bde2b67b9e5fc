/** A process that builds the app with each config in its arguments, and says why it cannot. */
import { createApp } from '../../../src/app.ts';

for (const config of process.argv.slice(2))
  await createApp(JSON.parse(config), () => {}).catch(({ message }) => console.log(message));
