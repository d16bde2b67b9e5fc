/** The form of a UUID in lower case (RFC 9562, 4), for regular expressions. Postgres and `randomUUID` write this one. */
export const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';

/** Any UUID that every store reads: upper case too, but neither `urn:uuid:` nor braces. */
export const ANY_UUID = new RegExp(`^${UUID}$`, 'i');

const LOWER_CASE_UUID = new RegExp(`^${UUID}$`);

/** Whether the text is a UUID in lower case. */
export const isUuid = (text: string): boolean => LOWER_CASE_UUID.test(text);
