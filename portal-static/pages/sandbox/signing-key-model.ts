/** Makes and uses signing keys of `private_key_jwt` applications in the browser. */

import {
  type AssertionAlgorithm,
  assertionAlgorithms,
} from '../../../lambdas/catalog/oauth/assertion-algorithms.ts';
import type { ClientJwk } from '../../../lambdas/catalog/oauth/client-jwks.ts';
import { browserKeyPrefix, mostClientKeys } from '../../../lambdas/catalog/oauth/client-keys.ts';
import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import { base64Url } from './try-model.ts';

/**
 * The key with which an application signs client assertions in this browser. The private key is not extractable: the browser signs with it,
 * but no script can read it, and it is never sent.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7523 (client assertions)
 */
export interface BrowserSigningKey {
  readonly alg: AssertionAlgorithm;
  readonly privateKey: BrowserKey;
  /** The public key, as it is registered. */
  readonly publicJwk: ClientJwk;
}

type BrowserKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Members of a JWK in a file (RFC 7518 section 6). */
interface Jwk {
  readonly kty?: string;
  readonly crv?: string;
  readonly alg?: string;
  readonly kid?: string;
  readonly d?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
}

const curves = {
  'P-256': { alg: 'ES256', hash: 'SHA-256' },
  'P-384': { alg: 'ES384', hash: 'SHA-384' },
} as const;
type Curve = keyof typeof curves;

/** Makes a key pair for ES384, the algorithm that SMART App Launch recommends. */
export async function makeSigningKey(): Promise<BrowserSigningKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { name: 'ECDSA', namedCurve: 'P-384' },
    false,
    ['sign', 'verify'],
  );
  const jwk = await crypto.subtle.exportKey('jwk', publicKey);
  const kid = browserKeyPrefix + (await thumbprintOf(jwk));
  return { alg: 'ES384', privateKey, publicJwk: await publicJwkOf({ ...jwk, kid }, 'ES384') };
}

/** Reasons why a text cannot be used as a signing key. `other_pem`: a PEM that browsers do not read. */
export type KeyFileProblem = 'no_key' | 'no_private_key' | 'unknown_kind' | 'other_pem';

/** Reads a private key: a PEM (PKCS #8), a JWK, or the first private key of a JWK Set. */
export async function readSigningKey(text: string): Promise<BrowserSigningKey | KeyFileProblem> {
  if (text.includes('-----BEGIN ')) return await readPem(text);
  const file = jsonOf(text);
  if (file === undefined) return 'no_key';
  const keys = Array.isArray(file.keys) ? (file.keys as readonly Jwk[]) : [file as Jwk];
  const jwk = keys.find((key) => typeof key?.d === 'string');
  if (jwk === undefined) return 'no_private_key';
  const algorithm = algorithmOf(jwk);
  if (algorithm === undefined) return 'unknown_kind';
  const { alg, parameters } = algorithm;
  try {
    // Removes the members about the key's use, because the import fails if they differ from the use here.
    const members = { ...jwk, alg: undefined, use: undefined, key_ops: undefined, ext: undefined };
    const privateKey = await crypto.subtle.importKey('jwk', members as never, parameters, false, ['sign']);
    return { alg, privateKey, publicJwk: await publicJwkOf(jwk, alg) };
  } catch {
    return 'unknown_kind';
  }
}

/** Kinds of keys that a PEM may have. Its bytes name the kind, so the wrong ones are refused by the import. */
const pemKinds = [
  { alg: 'ES384', parameters: { name: 'ECDSA', namedCurve: 'P-384' } },
  { alg: 'ES256', parameters: { name: 'ECDSA', namedCurve: 'P-256' } },
  { alg: 'RS384', parameters: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' } },
] as const;

/** Reads a PEM. Only PKCS #8 without a password can be imported (Web Cryptography API section 14). */
async function readPem(text: string): Promise<BrowserSigningKey | KeyFileProblem> {
  const [, label = '', content = ''] = /-----BEGIN ([A-Z ]+)-----([\s\S]+?)-----END/.exec(text) ?? [];
  if (label.includes('PUBLIC') || label === 'CERTIFICATE') return 'no_private_key';
  if (label !== 'PRIVATE KEY') return 'other_pem';
  const bytes = bytesOf(content);
  if (bytes === undefined) return 'no_key';
  for (const { alg, parameters } of pemKinds) {
    try {
      // Extractable for a moment, because the public key is part of its JWK.
      const key = await crypto.subtle.importKey('pkcs8', bytes, parameters, true, ['sign']);
      const jwk = await crypto.subtle.exportKey('jwk', key);
      return await readSigningKey(JSON.stringify({ ...jwk, alg }));
    } catch {
      // Not a key of this kind.
    }
  }
  return 'unknown_kind';
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function algorithmOf({ kty, crv, alg }: Jwk) {
  if (kty === 'EC' && crv !== undefined && crv in curves) {
    return { alg: curves[crv as Curve].alg, parameters: { name: 'ECDSA', namedCurve: crv } };
  }
  if (kty !== 'RSA') return undefined;
  const named = assertionAlgorithms.find((it) => it === alg && it.startsWith('RS')) ?? 'RS384';
  const hash = named === 'RS256' ? 'SHA-256' : 'SHA-384';
  return { alg: named, parameters: { name: 'RSASSA-PKCS1-v1_5', hash } };
}

/** Makes the public JWK: the public members only, with the key's own ID or else its thumbprint (RFC 7638). */
async function publicJwkOf(jwk: Jwk, alg: AssertionAlgorithm) {
  const kid = jwk.kid ?? (await thumbprintOf(jwk));
  return { ...requiredMembers(jwk), kid, alg, use: 'sig' } as ClientJwk;
}

/** Members of a public key, in the order of RFC 7638 section 3.2. */
function requiredMembers({ kty, crv, x, y, n, e }: Jwk) {
  return kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
}

async function thumbprintOf(jwk: Jwk): Promise<string> {
  const members = new TextEncoder().encode(JSON.stringify(requiredMembers(jwk)));
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', members)));
}

/** Lifetime of an assertion in seconds. The authorization server accepts at most five minutes (SMART App Launch 2.2). */
export const assertionSeconds = 120;

/**
 * Makes a client assertion (RFC 7523 section 3).
 *
 * @param audience the endpoint to which the assertion is sent.
 * @param now milliseconds since 1970.
 */
export async function signAssertion(
  { alg, privateKey, publicJwk }: BrowserSigningKey,
  clientId: string,
  audience: string,
  now: number,
): Promise<string> {
  const seconds = Math.floor(now / 1000);
  const header = { alg, kid: publicJwk.kid, typ: 'JWT' };
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    jti: crypto.randomUUID(),
    iat: seconds,
    exp: seconds + assertionSeconds,
  };
  const text = `${partOf(header)}.${partOf(claims)}`;
  const algorithm = alg.startsWith('ES')
    ? { name: 'ECDSA', hash: alg === 'ES256' ? 'SHA-256' : 'SHA-384' }
    : { name: 'RSASSA-PKCS1-v1_5' };
  const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(text));
  return `${text}.${base64Url(new Uint8Array(signature))}`;
}

const partOf = (value: object) => base64Url(new TextEncoder().encode(JSON.stringify(value)));

/** Whether the sandbox knows the key. `published`: the application publishes its keys at an address, so only a request can tell. */
export function keyRegistrationState(
  { jwks, jwksUri }: Pick<ApplicationConfiguration, 'jwks' | 'jwksUri'>,
  { publicJwk }: BrowserSigningKey,
): 'registered' | 'missing' | 'published' {
  if (jwksUri !== undefined) return 'published';
  return jwks?.keys.some(({ kid }) => kid === publicJwk.kid) === true ? 'registered' : 'missing';
}

/** Adds the key to the sandbox's configuration. If the application has the maximum number of keys, the oldest is removed. */
export function withKey(
  { jwksUri: _, ...configuration }: ApplicationConfiguration,
  { publicJwk }: BrowserSigningKey,
): ApplicationConfiguration {
  const others = (configuration.jwks?.keys ?? []).filter(({ kid }) => kid !== publicJwk.kid);
  return { ...configuration, jwks: { keys: [...others, publicJwk].slice(-mostClientKeys) } };
}
