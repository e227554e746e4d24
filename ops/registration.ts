/** Makes a client registration from a command's options. */

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { interfaceNames, offers } from '../lambdas/catalog/fhir/interfaces.ts';
import { issueMessage } from '../lambdas/catalog/fhir/issue-message.ts';
import {
  type ClientRegistration,
  clientRegistration,
} from '../lambdas/clients/provisioning/registration-contract.ts';
import { linesOfBusinessOf, listed, UsageError } from './command-line/command-line.ts';
import type { OptionName, OptionValues } from './command-line/options.ts';

export const registrationOptions: readonly OptionName[] = [
  'name',
  'display-name',
  'lob',
  'product',
  'grant',
  'redirect-uri',
  'logout-redirect-uri',
  'initiate-login-uri',
  'application-uri',
  'privacy-uri',
  'terms-uri',
  'contact-email',
  'public',
  'jwks',
  'jwks-uri',
  'no-pkce',
  'attested',
  'tier',
];

/**
 * Makes a registration. Defaults: all products of the LOBs, the grants that fit, PKCE, tier `standard`.
 *
 * @throws UsageError naming the first option with an invalid value.
 */
export function registrationFrom(values: OptionValues): ClientRegistration {
  if (values.name === undefined) throw new UsageError('--name is missing; give the name of the application');
  const linesOfBusiness = linesOfBusinessOf(values.lob ?? []);
  if (linesOfBusiness.length === 0)
    throw new UsageError('--lob is missing; give the line of business, e.g. DSNP');
  const redirectUris = values['redirect-uri'] ?? [];
  const isPublic = values.public === true;
  const ownKeys = values.jwks !== undefined || values['jwks-uri'] !== undefined;
  if (isPublic && ownKeys)
    throw new UsageError('--public clients have no key; leave out --jwks and --jwks-uri');
  const offered = interfaceNames.filter((name) => linesOfBusiness.some((lob) => offers(lob, name)));
  const parsed = z.safeParse(clientRegistration, {
    clientName: values.name,
    displayName: values['display-name'],
    grantTypes: values.grant === undefined ? fittingGrants(isPublic, redirectUris) : listed(values.grant),
    tokenEndpointAuthMethod: isPublic ? 'none' : ownKeys ? 'private_key_jwt' : 'client_secret_basic',
    ...(values.jwks !== undefined && { jwks: jwksOf(values.jwks) }),
    jwksUri: values['jwks-uri'],
    linesOfBusiness,
    products: values.product === undefined ? offered : listed(values.product),
    redirectUris,
    postLogoutRedirectUris: values['logout-redirect-uri'],
    initiateLoginUri: values['initiate-login-uri'],
    applicationUri: values['application-uri'],
    privacyUri: values['privacy-uri'],
    termsOfServiceUri: values['terms-uri'],
    contactEmail: values['contact-email'],
    attested: values.attested === true,
    pkceRequired: values['no-pkce'] !== true,
    tier: values.tier ?? 'standard',
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${issue?.path.join('.')}: ${issue === undefined ? '' : issueMessage(issue)}`);
}

/** Reads public keys from a file, before anything is sent, so that an invalid file has no effect. */
function jwksOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UsageError('--jwks must be a file with a JWK Set: {"keys":[…]}');
  }
}

function fittingGrants(isPublic: boolean, redirectUris: readonly string[]): string[] {
  if (isPublic) return ['authorization_code'];
  return redirectUris.length > 0 ? ['authorization_code', 'client_credentials'] : ['client_credentials'];
}
