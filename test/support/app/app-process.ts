/** A process that builds the app with the config in `argv[2]`, and says why it cannot. */
import { createApp } from '../../../src/app.ts';

await createApp(JSON.parse(String(process.argv[2])), () => {}).catch(({ message }) => console.log(message));
