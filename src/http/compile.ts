/**
 * Values, such as compiled schemas and serializers, that are made at their first use, or before it while there is time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';
import { writeWithLogo } from './files/logo-answer.ts';

/** Returns a function that makes the value on the first call and returns the same value from then on. */
export type Once = <T>(make: () => T) => () => T;

/** While values are made before they are needed, the gateway rests this many times as long as each took. */
const REST_FACTOR = 3;

/** Creates what makes values at their first use, or before it. */
export const createOnce = () => {
  const unmade = new Set<() => unknown>();
  const once: Once = (make) => {
    let made: ReturnType<typeof make> | undefined;
    const get = () => {
      if (made === undefined) {
        made = make();
        unmade.delete(get);
      }
      return made;
    };
    unmade.add(get);
    return get;
  };
  return {
    once,
    /** Makes what nobody has needed yet, one value in a turn. @throws When aborted, or as what makes a value does. */
    async makeAll(signal: AbortSignal): Promise<void> {
      for (const get of unmade) {
        const startedMs = performance.now();
        get();
        await sleep(REST_FACTOR * (performance.now() - startedMs), undefined, { signal });
      }
    },
  };
};

/** A gateway that was started for a short task is not kept busy. */
const AFTER_MS = 10_000;

/**
 * Compiles the schemas that no request has needed by then, some time after the gateway has begun to listen: a large one
 * takes some 30 ms of the main thread, for which every other request would wait.
 */
export const compileWhenIdle = (
  app: FastifyInstance,
  makeAll: (signal: AbortSignal) => Promise<void>,
): void => {
  const ended = new AbortController();
  const compile = (): void =>
    void makeAll(ended.signal).catch((err: unknown) => {
      // The first request that needs it fails with the same error, and with a name.
      if (!ended.signal.aborted) app.log.error({ err }, 'a schema could not be compiled');
    });
  app.addHook('onListen', (done) => {
    const timer = setTimeout(compile, AFTER_MS).unref();
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    done();
  });
  app.addHook('preClose', (done) => {
    ended.abort();
    done();
  });
};

type Json = Readonly<Record<string, unknown>>;

const isNull = ({ type }: Json): boolean => type === 'null';

/**
 * Rewrites "this, or null" as `nullable`, which fast-json-stringify serialises directly. For an `anyOf` it would ask
 * Ajv which schema a value fits.
 */
const withNullable = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withNullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, withNullable(inner)]),
  );
  if (!Array.isArray(anyOf)) return rest;
  const others = anyOf.filter((one) => !isNull(one));
  return others.length === 1 && anyOf.length === 2
    ? { ...others[0], ...rest, nullable: true }
    : { ...rest, anyOf };
};

/**
 * Makes the serializers of answers as Fastify does, but compiles each lazily, for the first answer that needs it:
 * compiling all takes a sixth of the processor time of a start.
 */
export const buildSerializers =
  (once: Once): SerializerFactory =>
  (schemas, options) => {
    const compile = SerializerSelector()(schemas, options);
    return (part) => {
      const serializer = once(() => compile({ ...part, schema: withNullable(part.schema) }));
      return (answer) => writeWithLogo(answer, (whole) => serializer()(whole));
    };
  };
