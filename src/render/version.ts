/**
 * The version of the pictures that this renderer draws. It is part of ETags and of cache keys. Change it with every
 * change that gives the same design different bytes.
 */
export const RENDERER_VERSION = '8';
