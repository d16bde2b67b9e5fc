/** Spans of Redis commands, as ioredis publishes them on a diagnostics channel of Node.js. */
import { tracingChannel } from 'node:diagnostics_channel';
import { currentTrace, type Span } from '../trace.ts';

interface Command {
  readonly command: string;
  readonly error?: { readonly name?: string };
}

/** Begins to record the commands that are sent within a trace, only by name. Returns a function that ends it. */
export const traceRedis = (): (() => void) => {
  const spans = new WeakMap<Command, Span>();
  const channel = tracingChannel<unknown, Command>('ioredis:command');
  const subscriber = {
    start(message: Command): void {
      const above = currentTrace()?.span;
      if (!above?.isOpen) return;
      const name = message.command.toLowerCase();
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': name };
      spans.set(message, above.begin(`redis ${name}`, { kind: 'client', attributes }));
    },
    asyncEnd(message: Command): void {
      const span = spans.get(message);
      if (message.error === undefined) span?.end();
      else span?.end({ fault: message.error.name ?? 'error' });
    },
    end(): void {},
    asyncStart(): void {},
    error(): void {},
  };
  channel.subscribe(subscriber);
  return () => void channel.unsubscribe(subscriber);
};
