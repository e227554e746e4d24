/** RFC 8414 metadata of a LOB's authorization server, made from the tables that its endpoints enforce. */

import { authorizationServerEndpoints, type EnvironmentOrigins, memberIssuer } from '../addresses.ts';
import { interfaceNames } from '../interface-families.ts';
import { languages } from '../languages.ts';
import type { LineOfBusiness } from '../lines-of-business.ts';
import { assertionAlgorithms } from './assertion-algorithms.ts';
import { prompts } from './prompts.ts';
import { identityScopes, resourceTypes, scopeCategories } from './scopes.ts';

/** Authentication methods of confidential clients: with a secret, or with their own key. */
export const confidentialMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

/**
 * Metadata of a LOB's authorization server (RFC 8414), which is also its OpenID Provider configuration (OpenID Connect Discovery 1.0
 * section 3). It lists only what is implemented.
 */
export function authorizationServerMetadata(origins: EnvironmentOrigins, lob: LineOfBusiness) {
  const endpoints = authorizationServerEndpoints(origins, lob);
  return {
    issuer: memberIssuer(origins, lob),
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    jwks_uri: endpoints.jwks,
    revocation_endpoint: endpoints.revocation,
    introspection_endpoint: endpoints.introspection,
    userinfo_endpoint: endpoints.userInfo,
    // OpenID Connect RP-Initiated Logout 1.0 section 2.1.
    end_session_endpoint: endpoints.endSession,
    scopes_supported: scopesSupported(),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: [...confidentialMethods, 'none'],
    revocation_endpoint_auth_methods_supported: [...confidentialMethods, 'none'],
    introspection_endpoint_auth_methods_supported: confidentialMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'fhirUser'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    prompt_values_supported: prompts,
    ui_locales_supported: languages,
  } as const;
}

function scopesSupported(): readonly string[] {
  const types = ['*', ...resourceTypes(interfaceNames)];
  const data = types.flatMap((type) =>
    ['patient', 'user'].flatMap((context) => [`${context}/${type}.read`, `${context}/${type}.rs`]),
  );
  const limited = types.flatMap((type) =>
    scopeCategories(type).flatMap((category) =>
      ['patient', 'user'].map((context) => `${context}/${type}.rs?category=${category}`),
    ),
  );
  return [...identityScopes, ...data, ...limited];
}
