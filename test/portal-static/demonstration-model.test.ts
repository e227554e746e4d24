import { describe, expect, it } from 'vitest';
import { demonstration } from '../../lambdas/catalog/oauth/demonstration.ts';
import { addressOf } from '../../portal-static/components/fhir-address.ts';
import {
  demonstrationTokenCall,
  exampleCall,
  exampleNames,
  failureWords,
} from '../../portal-static/pages/demonstration/demonstration-calls.ts';

const origins = {
  auth: 'http://auth.sandbox.localhost:8080',
  token: 'http://token.sandbox.localhost:8080',
  apiTemplate: 'http://{lob}.api.sandbox.localhost:8080',
};
const token = { accessToken: 'token-1', patient: 'patient 1' };

describe('the calls of the live sandbox', () => {
  it('go to the sandbox’s own hosts with the demonstration’s key, and to the directory without the token', () => {
    const calls = exampleNames.map((name) => exampleCall(origins, name, token));
    for (const { method, url, headers } of calls) {
      expect(method).toBe('GET');
      expect(new URL(url).origin).toBe('http://dsnp.api.sandbox.localhost:8080');
      expect(headers['x-api-subscription-key']).toBe(demonstration.subscriptionKey);
      expect(headers.authorization).toBe(url.includes('/extfhirproviderdir/') ? undefined : 'Bearer token-1');
    }
    expect(calls[0]?.url).toContain('/extfhirpatientaccess/v1/Patient/patient%201');
  });

  it('ask for a token without any secret', () => {
    expect(demonstrationTokenCall(origins)).toMatchObject({
      method: 'POST',
      url: 'http://auth.sandbox.localhost:8080/fhir-oauth2/pub/dsnp/token',
      body: { grant_type: demonstration.grantType, client_id: demonstration.clientId },
    });
  });
});

describe('a call that failed', () => {
  it.each([
    [undefined, undefined, 'You may be offline'],
    [429, '7', 'Try again in 7 seconds, or get your own key.'],
    [429, '300', 'Try again in 5 minutes'],
    [429, '40000', 'Try again in 12 hours'],
    [429, undefined, 'Try again in some minutes'],
    [503, '1', 'Try again in 1 second.'],
    [404, undefined, 'The response says why.'],
  ])('with %s and Retry-After %s says “%s”', (status, retryAfter, words) => {
    expect(failureWords(status, retryAfter)).toContain(words);
  });

  it('is none with 200', () => {
    expect(failureWords(200, undefined)).toBeUndefined();
  });
});

describe('a string of a response', () => {
  const base = 'http://dsnp.api.sandbox.localhost:8080/extfhirpatientaccess/v1';

  it.each([
    ['reference', 'Coverage/c-1', `${base}/Coverage/c-1`],
    ['url', `${base}/ExplanationOfBenefit?page=2`, `${base}/ExplanationOfBenefit?page=2`],
    ['display', 'Coverage/c-1', undefined],
    ['reference', '#contained', undefined],
    ['reference', 'urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e', undefined],
    ['url', `${base}.attacker.example/Patient/1`, undefined],
    ['reference', 'http://other.example/Patient/1', undefined],
  ])('named %s, “%s”, leads to %s', (name, value, url) => {
    expect(addressOf(name, value, base)).toBe(url);
  });
});
