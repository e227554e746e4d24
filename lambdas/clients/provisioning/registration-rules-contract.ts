/** Rules for every client registration: redirect URIs, keys, grant types, scopes. */

import type { Environment } from '../../catalog/environments.ts';
import { offers } from '../../catalog/fhir/interfaces.ts';
import { hasHiddenCharacter } from '../../catalog/hidden-characters.ts';
import { demonstration } from '../../catalog/oauth/demonstration.ts';
import { isNativeUri } from '../../catalog/oauth/native-redirect-uris.ts';
import type { ClientRegistration } from './registration-contract.ts';

/** A fault of a request: the path of a field (`registration.redirectUris.0`) and what was expected of it. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

interface Rule {
  readonly path: keyof ClientRegistration;
  readonly message: string;
  readonly broken: (registration: ClientRegistration) => boolean;
}

/** Rules about several fields of a registration; the schema has those about a single field. */
const rules: readonly Rule[] = [
  {
    path: 'pkceRequired',
    message: 'true for a public client, which always uses PKCE (RFC 9700 section 2.1.1)',
    broken: (it) => it.tokenEndpointAuthMethod === 'none' && !it.pkceRequired,
  },
  {
    path: 'grantTypes',
    message: 'client_credentials only for a client that can authenticate (RFC 6749 section 4.4)',
    broken: (it) => it.tokenEndpointAuthMethod === 'none' && it.grantTypes.includes('client_credentials'),
  },
  {
    path: 'jwks',
    message: 'either jwks or jwksUri for private_key_jwt (RFC 7591 section 2)',
    broken: (it) =>
      it.tokenEndpointAuthMethod === 'private_key_jwt' &&
      (it.jwks === undefined) === (it.jwksUri === undefined),
  },
  {
    path: 'jwks',
    message: 'each kid once, because an assertion names its key by kid',
    broken: ({ jwks }) => new Set(jwks?.keys.map(({ kid }) => kid)).size < (jwks?.keys.length ?? 0),
  },
  ...(['jwks', 'jwksUri'] as const).map((path) => ({
    path,
    message: 'a value only with private_key_jwt',
    broken: (it: ClientRegistration) =>
      it.tokenEndpointAuthMethod !== 'private_key_jwt' && it[path] !== undefined,
  })),
  {
    path: 'jwksUri',
    message: 'https:// with a host name, without port, user name or fragment',
    broken: ({ jwksUri }) => jwksUri !== undefined && !isKeyAddress(jwksUri),
  },
  {
    path: 'redirectUris',
    message: 'at least one redirect URI for authorization_code',
    broken: (it) => it.grantTypes.includes('authorization_code') && it.redirectUris.length === 0,
  },
  {
    path: 'demonstratedPatientId',
    message: 'a Patient ID for the grant type of the demonstration, and for no other',
    broken: (it) => (it.demonstratedPatientId !== undefined) !== isDemonstration(it),
  },
  {
    path: 'grantTypes',
    message: `the grant type of the demonstration alone, for a public client of ${demonstration.lineOfBusiness} in the tier ${demonstration.tier}`,
    broken: (it) =>
      (isDemonstration(it) || it.tier === demonstration.tier) &&
      !(
        it.grantTypes.join() === demonstration.grantType &&
        it.tokenEndpointAuthMethod === 'none' &&
        it.linesOfBusiness.join() === demonstration.lineOfBusiness &&
        it.tier === demonstration.tier
      ),
  },
  {
    path: 'products',
    message: 'products that a line of business of this registration offers',
    broken: (it) => it.products.some((name) => !it.linesOfBusiness.some((lob) => offers(lob, name))),
  },
  ...(['grantTypes', 'linesOfBusiness', 'products', 'redirectUris', 'postLogoutRedirectUris'] as const).map(
    (path) => ({
      path,
      message: 'each value once',
      broken: (it: ClientRegistration) => new Set<string>(it[path]).size < (it[path]?.length ?? 0),
    }),
  ),
  ...(['clientName', 'displayName'] as const).map((path) => ({
    path,
    message:
      'plain text without control characters, bidirectional marks or invisible characters, and not only spaces',
    broken: (it: ClientRegistration) => it[path] !== undefined && !isPlainText(it[path]),
  })),
];

/** Whether a registration is the demonstration's, which has credentials that everybody knows. */
export function isDemonstration({ grantTypes }: Pick<ClientRegistration, 'grantTypes'>): boolean {
  return grantTypes.includes(demonstration.grantType);
}

/** Whether a name has no characters that hide or reorder the text around it: members see it on the consent page. */
function isPlainText(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && !hasHiddenCharacter(text) && text.trim() !== '';
}

/** Whether keys may be fetched from an address, by its form. Each fetch also checks the IP addresses that its host resolves to. */
function isKeyAddress(uri: string): boolean {
  if (!/^https:\/\/[a-z0-9][a-z0-9.-]*\.[a-z][a-z0-9-]*(\/[\x21-\x7e]*)?$/i.test(uri) || uri.includes('#'))
    return false;
  const { port, username, password } = new URL(uri);
  return port === '' && username === '' && password === '';
}

/** Lists the rules that a registration breaks in this environment; empty if it may be registered. */
export function registrationIssues(
  registration: ClientRegistration,
  environment: Environment,
  tiers: readonly string[],
): readonly Issue[] {
  const issues: Issue[] = rules
    .filter((rule) => rule.broken(registration))
    .map(({ path, message }) => ({ path: `registration.${path}`, message }));
  if (isDemonstration(registration) && environment !== 'sandbox') {
    issues.push({
      path: 'registration.grantTypes',
      message: 'no demonstration: it is for the sandbox, whose members are fictional',
    });
  }
  const isPublic = registration.tokenEndpointAuthMethod === 'none';
  for (const path of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    registration[path]?.forEach((uri, index) => {
      const message = redirectUriProblem(uri, environment, isPublic);
      if (message !== undefined) issues.push({ path: `registration.${path}.${index}`, message });
    });
  }
  for (const path of ['initiateLoginUri', 'applicationUri', 'privacyUri', 'termsOfServiceUri'] as const) {
    const uri = registration[path];
    const message = uri === undefined ? undefined : webUriProblem(uri, environment);
    if (message !== undefined) issues.push({ path: `registration.${path}`, message });
  }
  if (!tiers.includes(registration.tier)) {
    issues.push({ path: 'registration.tier', message: `one of ${tiers.join(', ')}` });
  }
  return issues;
}

/**
 * Parameters of authorization responses. A redirect URI must not have one of these, or the response would have it twice (RFC 6749 section
 * 3.1).
 */
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];

/**
 * The fault of a redirect URI: it must be absolute, without a fragment (RFC 6749 section 3.1.2), and normalized, because it is compared as
 * a raw string.
 */
function redirectUriProblem(uri: string, environment: Environment, isPublic: boolean): string | undefined {
  if (uri.includes('#')) return 'a redirect URI without fragment';
  const problem = isPublic && isNativeUri(uri) ? nativeUriProblem(uri) : webUriProblem(uri, environment);
  if (problem !== undefined) return problem;
  const { searchParams } = new URL(uri);
  return answerParameters.some((name) => searchParams.has(name))
    ? `a redirect URI has none of the parameters ${answerParameters.join(', ')}: the answer brings them`
    : undefined;
}

/** The fault of a native app's redirect URI (RFC 8252 sections 7.1 and 7.3), which is allowed in both environments. */
function nativeUriProblem(uri: string): string | undefined {
  if (!uriText.test(uri)) return uriTextExpected;
  const { href } = new URL(uri);
  return href === uri || href === `${uri}/` ? undefined : `written as browsers write it: ${href}`;
}

/** Characters of a URI (RFC 3986 section 2). `\\` is excluded: browsers read it as `/`, other parsers do not. */
const uriText = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const uriTextExpected = 'printable ASCII as in RFC 3986 section 2, anything else percent-encoded';

/**
 * A host name: letters, digits and hyphens between dots (RFC 1123 section 2.1). URL parsers also accept `*`, `;` and `,` in a host, but
 * these have a meaning in a Content-Security-Policy, which contains the redirect URI's origin.
 */
const hostName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Whether a host is this machine, as every name below `localhost` is (RFC 6761 section 6.3). */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1';
}

/** The fault of a web address: it must be `https` or, in the sandbox only, `http` on a loopback host. */
function webUriProblem(uri: string, environment: Environment): string | undefined {
  if (!uriText.test(uri)) return uriTextExpected;
  if (!/^https?:\/\/[^/?#]/.test(uri)) return 'an absolute URI that begins with https://';
  const { protocol, hostname, href } = new URL(uri);
  if (/^https?:\/\/[^/?#]*@/.test(uri)) return 'a URI without user name or password';
  if (!hostName.test(hostname)) return 'a host name of letters, digits and hyphens between dots';
  // The URI must be normalized: no uppercase host, default port, `..` or hexadecimal IP address.
  if (href !== uri && href !== `${uri}/`) return `written as browsers write it: ${href}`;
  if (protocol === 'https:') return undefined;
  if (environment === 'sandbox' && isLoopback(hostname)) return undefined;
  return environment === 'sandbox'
    ? 'https://, or http:// to localhost or 127.0.0.1'
    : 'https:// (plain http is for the sandbox only)';
}
