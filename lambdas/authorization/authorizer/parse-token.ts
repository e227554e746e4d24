/** Parses a JWT before its signature is verified. */

import { isCanonicalBase64Url } from '../../catalog/oauth/json-web-token.ts';

/** Header and payload of a token whose signature is not verified yet. */
export interface UnverifiedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Parses a compact JWS (RFC 7515 section 7.1) only if it is encoded exactly as this service encodes tokens: canonical base64url, and JSON
 * as `JSON.stringify` writes it, without duplicate members. So each token has one text.
 *
 * @returns undefined for any other text.
 */
export function parseIssuedToken(text: string): UnverifiedToken | undefined {
  const parts = text.split('.');
  if (parts.length !== 3 || !parts.every(isCanonicalBase64Url)) return undefined;
  const [header, payload] = [objectOf(parts[0]), objectOf(parts[1])];
  return header === undefined || payload === undefined ? undefined : { header, payload };
}

function objectOf(part = ''): Readonly<Record<string, unknown>> | undefined {
  try {
    const json = Buffer.from(part, 'base64url').toString('utf8');
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && JSON.stringify(value) === json ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
