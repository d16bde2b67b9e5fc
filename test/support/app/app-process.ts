/** A process that builds the app with each config in its arguments, and prints the error if that fails. */
import { createApp } from '../../../src/app.ts';

for (const config of process.argv.slice(2))
  await createApp(JSON.parse(config), () => {}).catch(({ message }) => console.log(message));
