/** Number of a client's keys, and the IDs of those a browser made: a file of its own, so that pages get no schema with it. */

/**
 * Start of the `kid` of a key that a page of the portal made; the rest is its thumbprint (RFC 7638). The private key can't be exported from
 * the browser, so it serves the guided first call only.
 */
export const browserKeyPrefix = 'browser-made-';

/** Maximum number of a client's keys that are read. */
export const mostClientKeys = 10;
