/** Returns the OpenAPI document of a gateway at the root of its host, from the routes as compiled in `dist`. */
export const makeDocument: () => Promise<object>;
