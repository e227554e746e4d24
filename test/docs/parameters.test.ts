import { describe, expect, it } from 'vitest';
import { authorizationCode } from '../../lambdas/authorization/token/authorization-code-grant.ts';
import { refreshToken } from '../../lambdas/authorization/token/refresh-token-grant.ts';
import {
  clientCredentialsParameters,
  codeParameters,
  refreshParameters,
} from '../../portal-static/build/documents/token-requests.ts';
import { service } from './documents.ts';

/** Parameters that every grant type reads. */
const common = ['grant_type', 'resource', 'expires_in'];

describe('the documented parameters of a token request', () => {
  it.each([
    ['authorization_code', codeParameters, authorizationCode.parameters],
    ['refresh_token', refreshParameters, ['scope', ...refreshToken.parameters]],
    ['client_credentials', clientCredentialsParameters(service), ['scope']],
  ])('of %s are those it reads', (grantType, documented, own) => {
    expect(Object.keys(documented).sort()).toEqual([...common, ...own].sort());
    expect(documented.grant_type?.example).toBe(grantType);
  });
});
