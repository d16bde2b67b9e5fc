/**
 * Names the pictures that this renderer draws: part of ETags and of the result cache's keys. Change it with
 * every change after which the same design gives other bytes.
 */
export const RENDERER_VERSION = '2';
