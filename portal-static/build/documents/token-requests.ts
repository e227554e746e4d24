/** The parameters of token requests, for the OpenAPI document and the documentation. */

import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import {
  exampleClientId,
  exampleCode,
  exampleRedirectUri,
  exampleSecret,
  exampleVerifier,
} from './member-examples.ts';

/**
 * A parameter of a token request's body. The OpenAPI document and the documentation's tables are made from these parameters;
 * `test/docs/parameters.test.ts` compares their names with those that the grants read.
 */
export interface BodyParameter {
  readonly required: boolean;
  readonly meaning: string;
  readonly example: string;
}

type Parameters = Readonly<Record<string, BodyParameter>>;

/** Credentials in the body, an alternative to `Authorization: Basic`; a request must not have both. */
export const credentialParameterSchemas: Parameters = {
  client_id: {
    required: false,
    meaning: 'The client ID, if it is not in the `Authorization` header.',
    example: exampleClientId,
  },
  client_secret: {
    required: false,
    meaning: 'The client secret, if it is not in the `Authorization` header.',
    example: exampleSecret,
  },
  client_assertion_type: {
    required: false,
    meaning: 'With `private_key_jwt`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
    example: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  },
  client_assertion: {
    required: false,
    meaning: 'With `private_key_jwt`: the signed assertion.',
    example: 'eyJhbGciOiJSUzM4NCJ9.example.signature',
  },
};

const resource: BodyParameter = {
  required: false,
  meaning: 'The FHIR base of Patient Access, as in `aud` (RFC 8707).',
  example: '',
};

const expiresIn: BodyParameter = {
  required: false,
  meaning:
    'A shorter lifetime of the access token, in whole seconds, for example to test the response to an expired token. Not longer than the lifetime under Limits.',
  example: '60',
};

export const codeParameters: Parameters = {
  grant_type: { required: true, meaning: '`authorization_code`.', example: 'authorization_code' },
  code: { required: true, meaning: 'The code from the redirect.', example: exampleCode },
  redirect_uri: {
    required: true,
    meaning: 'The redirect URI of the authorization request.',
    example: exampleRedirectUri,
  },
  code_verifier: {
    required: false,
    meaning: 'With PKCE: the verifier whose SHA-256 is `code_challenge` of the authorization request.',
    example: exampleVerifier,
  },
  resource,
  expires_in: expiresIn,
};

export const refreshParameters: Parameters = {
  grant_type: { required: true, meaning: '`refresh_token`.', example: 'refresh_token' },
  refresh_token: {
    required: true,
    meaning: 'The latest refresh token.',
    example: '5tqJcXkWwq0mY2l3n8Zb9A.Qm9yZ2VzVGhlR2FyZGVuT2ZGb3JraW5nUGF0aHM',
  },
  scope: {
    required: false,
    meaning: 'A part of the granted scope, for this access token only.',
    example: 'patient/Patient.read',
  },
  resource,
  expires_in: expiresIn,
};

export function clientCredentialsParameters({ environments: { sandbox } }: PublishedService): Parameters {
  return {
    grant_type: { required: true, meaning: '`client_credentials`.', example: 'client_credentials' },
    scope: {
      required: true,
      meaning:
        'The environment resource ID, followed by `/.default`. The ID differs between sandbox and production.',
      example: `${sandbox.resourceId}/.default`,
    },
    resource: { required: false, meaning: 'The environment resource ID (RFC 8707).', example: '' },
    expires_in: expiresIn,
  };
}

export const tokenParameterSchemas: Parameters = {
  token: { required: true, meaning: 'An access token or a refresh token.', example: 'eyJhbGciOi.example' },
  token_type_hint: {
    required: false,
    meaning: '`access_token` or `refresh_token`; optional.',
    example: 'access_token',
  },
};

/** The values that a documented request sends: required parameters, and the optional parameters in `more`. */
export function exampleBody(parameters: Parameters, ...more: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([name, { required }]) => required || more.includes(name))
      .map(([name, { example }]) => [name, example]),
  );
}
