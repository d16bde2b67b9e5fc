/**
 * Faults in the threads. A function that may fail returns its value or a bare `Fault`, not a `Result` as the gateway
 * does: the threads import nothing from the gateway, and a fault crosses over in a message as it is. A search for a
 * repair makes many symbols, layouts and plans for one picture, and none of them needs a wrapper.
 */
import type { Fault } from './protocol.ts';

/** Whether a result is a fault. No other result may have a property called `field`. */
export const isFault = <T extends object>(made: T | Fault): made is Fault => 'field' in made;
