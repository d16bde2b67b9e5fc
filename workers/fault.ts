/**
 * Faults in the threads. A function that may refuse returns its value or the `Fault` as it is, where the gateway returns
 * a `Result`: the threads import nothing of the gateway, and a fault goes to it in a message, as it is. Symbols, layouts
 * and plans are made many times for one picture, in the search for a repair, and need no object around each.
 */
import type { Fault } from './protocol.ts';

/** Whether a result is a fault. No other result may have a property called `field`. */
export const isFault = <T extends object>(made: T | Fault): made is Fault => 'field' in made;
