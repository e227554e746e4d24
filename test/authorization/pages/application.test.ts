import { describe, expect, it } from 'vitest';
import type { OAuthClient } from '../../../lambdas/authorization/oauth/oauth-client.ts';
import { applicationOf, registeredNameOf } from '../../../lambdas/authorization/pages/application.ts';
import { english } from '../../../lambdas/authorization/pages/words/english.ts';

const client: OAuthClient = {
  clientId: 'c-1',
  state: 'active',
  clientName: 'Harbor Health',
  grantTypes: ['authorization_code'],
  tokenEndpointAuthMethod: 'none',
  linesOfBusiness: ['DSNP'],
  products: ['patient-access'],
  redirectUris: ['https://harbor.example/callback'],
  secrets: [],
  attested: true,
  pkceRequired: true,
};

/** Registered names with at least one character of a right-to-left script. */
const rightToLeft = ['صحتي', 'בריאות 360', 'Harbor بحر', '𞤀𞤣𞤤𞤢𞤥'];
const leftToRight = ['Harbor Health', 'Santé 360', '健康', '💚 Health'];

describe('the name of an application on members’ pages', () => {
  it.each(rightToLeft)('is isolated from the sentence around it: %s', (clientName) => {
    const { name } = applicationOf({ ...client, clientName });
    expect(name).toBe(`\u2068${clientName}\u2069`);
    expect(english.consent.title(name)).toContain(`\u2068${clientName}\u2069`);
  });

  it.each(leftToRight)('is shown as it was registered: %s', (clientName) => {
    expect(applicationOf({ ...client, clientName }).name).toBe(clientName);
  });

  it('is the registered text, without isolation, where it is data', () => {
    expect(registeredNameOf({ ...client, displayName: 'صحتي' })).toBe('صحتي');
  });
});
