import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readAskedCall, tryAddress } from '../../portal-static/pages/sandbox/asked-call.ts';
import { requestBodyText } from '../../portal-static/pages/sandbox/http-call.ts';
import { pathFault } from '../../portal-static/pages/sandbox/path-fault.ts';
import { exampleNpi, payerBody } from '../../portal-static/pages/sandbox/payer-bodies.ts';
import {
  neededAnew,
  repeatable,
  sampleLanguageNames,
  sampleOf,
} from '../../portal-static/pages/sandbox/sample-model.ts';
import { maskSecrets, secretsOf } from '../../portal-static/pages/sandbox/secrets-model.ts';
import {
  type Attempt,
  authorizationUrl,
  challengeOf,
  machineScope,
  machineTokenCall,
  memberFor,
  ownCall,
  patientCall,
  readAttempt,
  readCallback,
  refreshCall,
  revocationCall,
  tokenCall,
} from '../../portal-static/pages/sandbox/try-model.ts';
import {
  changeNames,
  changes,
  examplesOf,
  idsAtHand,
  placeOf,
  tokenAtHand,
  workbenchCall,
} from '../../portal-static/pages/sandbox/workbench-model.ts';

const origins = {
  auth: 'http://auth.sandbox.localhost:8080',
  token: 'http://token.sandbox.localhost:8080',
  apiTemplate: 'http://{lob}.api.sandbox.localhost:8080',
  resourceId: 'sandbox-resource',
};
const attempt: Attempt = {
  applicationId: 'app-1',
  lob: 'DSNP',
  patientId: 'p-1',
  lesson: 'plain',
  state: 'the-state',
  verifier: 'a'.repeat(43),
  redirectUri: 'http://portal.localhost:8080/try/callback',
};
const client = {
  clientId: 'client-1',
  method: 'client_secret_basic',
  secret: 's3cret',
  subscriptionKey: 'key-1',
} as const;

describe('the authorization request', () => {
  it('has every parameter of the description and PKCE by S256', async () => {
    const challenge = await challengeOf(attempt.verifier);
    expect(challenge).toBe(createHash('sha256').update(attempt.verifier).digest('base64url'));
    const url = new URL(
      authorizationUrl(origins, attempt, { clientId: 'client-1', challenge, loginHint: 'DSNP0001' }),
    );
    expect(url.origin + url.pathname).toBe(
      'http://auth.sandbox.localhost:8080/fhir-oauth2/sec/dsnp/authorize',
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: attempt.redirectUri,
      scope: 'openid offline_access launch/patient patient/*.read',
      state: 'the-state',
      aud: 'http://dsnp.api.sandbox.localhost:8080/extfhirpatientaccess/v1',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      login_hint: 'DSNP0001',
    });
  });
});

describe('the workbench', () => {
  const step = (headers: Record<string, string>, answer: object) => ({
    exchange: {
      call: { title: '', method: 'GET' as const, url: '', headers },
      answer: { status: 200, headers: [], text: JSON.stringify(answer), milliseconds: 1 },
    },
  });
  const atHand = { accessToken: 'token-1', patient: 'p-1', subscriptionKey: 'key-1' };
  const search = { product: 'patient-access', method: 'GET', path: 'Coverage' } as const;

  it('has the token and the key of the calls before, and none before they were accepted', () => {
    const issued = step({}, { access_token: 'token-1', patient: 'p-1' });
    const read = step({ 'x-api-subscription-key': 'key-1' }, { resourceType: 'Patient' });
    expect(tokenAtHand([issued, read])).toEqual(atHand);
    expect(tokenAtHand([step({}, { error: 'invalid_grant' })])).toBeUndefined();
  });

  it('takes the newest token, with the member of the first, and none of an earlier visit', () => {
    const issued = step({}, { access_token: 'old', patient: 'p-1', refresh_token: 'r-1' });
    const renewed = step({}, { access_token: 'token-1', refresh_token: 'r-2' });
    const read = step({ 'x-api-subscription-key': 'key-1' }, {});
    expect(tokenAtHand([issued, read, renewed])).toEqual({ ...atHand, refreshToken: 'r-2' });
    expect(tokenAtHand([issued, read].map((each) => ({ ...each, kept: true as const })))).toBeUndefined();
  });

  it('fills a payer’s paths with the group and the job of the last responses', () => {
    const groups = step(
      {},
      { resourceType: 'Bundle', entry: [{ resource: { resourceType: 'Group', id: 'g-1' } }] },
    );
    const started = {
      exchange: {
        ...groups.exchange,
        answer: {
          status: 202,
          headers: [['content-location', 'https://h/jobs/j-1'] as const],
          text: '',
          milliseconds: 1,
        },
      },
    };
    const ids = idsAtHand([groups, started], undefined);
    expect(ids).toEqual({ group: 'g-1', job: 'j-1' });
    const paths = examplesOf('payer-access', ids).map(({ path }) => path);
    expect(paths).toContain('Group/g-1/$export');
    expect(paths).toContain('jobs/j-1');
  });

  it('sends a form or FHIR JSON by its text, and asks for a job where an operation starts one', () => {
    const form = workbenchCall(
      origins,
      'DSNP',
      { ...search, method: 'POST', path: 'Coverage/_search', body: 'status=active' },
      atHand,
    );
    expect(form.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(requestBodyText(form)).toBe('status=active');
    const bulk = { product: 'payer-access', method: 'POST', path: 'Group/$bulk-member-match' } as const;
    const match = workbenchCall(origins, 'DSNP', { ...bulk, body: payerBody('bulk', 'DSNP') }, atHand);
    expect(match.headers).toMatchObject({ 'content-type': 'application/fhir+json', prefer: 'respond-async' });
    expect(requestBodyText(match)).toContain(exampleNpi);
    expect(workbenchCall(origins, 'DSNP', { ...search, body: 'status=active' }, atHand)).not.toHaveProperty(
      'body',
    );
  });

  it('reads a call from the link that names it, and nothing from another address', () => {
    const post = {
      product: 'patient-access',
      method: 'POST',
      path: 'Coverage/_search',
      body: 'a=b&c=d',
    } as const;
    for (const call of [search, post]) {
      expect(readAskedCall(new URL(tryAddress(call), 'https://p.example').search)).toEqual(call);
    }
    for (const query of [
      '',
      '?interface=other&path=Coverage',
      '?interface=patient-access',
      '?interface=patient-access&path=a&method=PUT',
    ]) {
      expect(readAskedCall(query)).toBeUndefined();
    }
  });

  it.each(changeNames)('builds a call %s, to the host of the line of business', (change) => {
    const asked = { ...search, path: ' /Coverage?_count=1 ' };
    const { url, headers } = workbenchCall(origins, 'DSNP', asked, atHand, change);
    expect(url).toBe('http://dsnp.api.sandbox.localhost:8080/extfhirpatientaccess/v1/Coverage?_count=1');
    const plain = workbenchCall(origins, 'DSNP', search, atHand).headers;
    if ('isVolley' in changes[change] || change === 'none') expect(headers).toEqual(plain);
    else expect(headers).not.toEqual(plain);
    expect(placeOf(origins, 'DSNP', url)).toEqual({ product: 'patient-access', path: 'Coverage?_count=1' });
  });

  it('sends the directory no token, and a service no member’s paths', () => {
    const asked = { ...search, product: 'provider-directory', path: 'Practitioner' } as const;
    const call = workbenchCall(origins, 'DSNP', asked, atHand);
    expect(call.headers).not.toHaveProperty('authorization');
    const paths = examplesOf('patient-access', {}).map(({ path }) => path);
    expect(paths.join()).not.toContain('Patient/');
  });

  it.each([
    ['Coverage', true],
    ['/Patient/1/$everything', true],
    ['metadata', true],
    ['jobs/1/files/2', true],
    ['jobs/{job}', false],
    ['', false],
    ['https://elsewhere.example/Patient', false],
    ['//elsewhere.example/Patient', false],
    ['../secret', false],
  ])('sends “%s”: %s', (path, isSent) => {
    expect(pathFault(path) === undefined).toBe(isSent);
  });
});

describe('what comes back', () => {
  it('is a code, a refusal, or nothing this tab asked for', () => {
    expect(readCallback('?code=c&state=s', 's')).toEqual({ kind: 'code', code: 'c' });
    expect(readCallback('?error=access_denied&error_description=No&state=s', 's')).toEqual({
      kind: 'refused',
      error: 'access_denied',
      description: 'No',
    });
    expect(readCallback('?code=c&state=other', 's')).toEqual({ kind: 'unknown' });
    expect(readCallback('?code=c&state=s', undefined)).toEqual({ kind: 'unknown' });
  });

  it('takes only what this page kept', () => {
    expect(readAttempt(JSON.stringify(attempt))).toEqual(attempt);
    expect(readAttempt(JSON.stringify({ ...attempt, lesson: 'other' }))).toBeUndefined();
    expect(readAttempt(JSON.stringify({ ...attempt, verifier: undefined }))).toBeUndefined();
    expect(readAttempt('{')).toBeUndefined();
    expect(readAttempt(null)).toBeUndefined();
  });
});

describe('the token request', () => {
  it('proves the client in the way it is registered for', () => {
    const basic = tokenCall(origins, attempt, client, 'the-code');
    expect(basic.headers.authorization).toBe(`Basic ${Buffer.from('client-1:s3cret').toString('base64')}`);
    expect(basic.body).not.toHaveProperty('client_secret');
    const post = tokenCall(origins, attempt, { ...client, method: 'client_secret_post' }, 'the-code');
    expect(post.body).toMatchObject({ client_id: 'client-1', client_secret: 's3cret' });
    const open = tokenCall(origins, attempt, { ...client, method: 'none', secret: undefined }, 'the-code');
    expect(open.body).toMatchObject({ client_id: 'client-1', code_verifier: attempt.verifier });
    expect(open.body).not.toHaveProperty('client_secret');
  });

  it('asks for one second, as text like every value, only to show an expired token', () => {
    expect(tokenCall(origins, attempt, client, 'c').body).not.toHaveProperty('expires_in');
    const expired = tokenCall(origins, { ...attempt, lesson: 'expired-token' }, client, 'c');
    expect(JSON.parse(requestBodyText(expired) ?? '')).toMatchObject({ expires_in: '1' });
  });

  it('is a form with the machine scope for a back-end service', () => {
    const call = machineTokenCall(origins, client, 'sandbox-resource/.default');
    expect(call.url).toBe('http://token.sandbox.localhost:8080/token/v2');
    expect(requestBodyText(call)).toBe(
      'grant_type=client_credentials&client_id=client-1&client_secret=s3cret&scope=sandbox-resource%2F.default',
    );
  });
});

describe('the calls after it', () => {
  it('send token and subscription key', () => {
    const call = patientCall(origins, 'DSNP', 'p 1', { accessToken: 't', subscriptionKey: 'k' });
    expect(call.url).toBe('http://dsnp.api.sandbox.localhost:8080/extfhirpatientaccess/v1/Patient/p%201');
    expect(call.headers).toMatchObject({ authorization: 'Bearer t', 'x-api-subscription-key': 'k' });
  });

  it('renew a token by the client’s own proof, for a second where it is to expire', () => {
    const call = refreshCall(origins, 'DSNP', client, 'refresh-1', 1);
    expect(call.url).toBe('http://auth.sandbox.localhost:8080/fhir-oauth2/pub/dsnp/token');
    expect(call.headers.authorization).toMatch(/^Basic /);
    expect(JSON.parse(requestBodyText(call) ?? '')).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      expires_in: '1',
    });
    expect(refreshCall(origins, 'DSNP', client, 'refresh-1').body).not.toHaveProperty('expires_in');
    expect(neededAnew(call)).toEqual(['YOUR_REFRESH_TOKEN']);
  });

  it('revoke with the client’s own proof', () => {
    const call = revocationCall(origins, 'DSNP', client, 't');
    expect(call.url).toBe('http://auth.sandbox.localhost:8080/fhir-oauth2/pub/dsnp/revoke');
    expect(requestBodyText(call)).toBe('token=t');
  });

  it('of a product without a member: the Provider Directory by its key alone, Payer Access by a token', () => {
    const credentials = { accessToken: 't', subscriptionKey: 'k' };
    const directory = ownCall(origins, 'DSNP', 'provider-directory', credentials);
    expect(directory.url).toBe(
      'http://dsnp.api.sandbox.localhost:8080/extfhirproviderdir/v1/Organization?_count=1',
    );
    expect(directory.headers).toEqual({ accept: 'application/json', 'x-api-subscription-key': 'k' });
    const payer = ownCall(origins, 'DSNP', 'payer-access', credentials);
    expect(payer.url).toBe('http://dsnp.api.sandbox.localhost:8080/extfhirpayeraccess/v1/Group');
    expect(payer.headers.authorization).toBe('Bearer t');
  });

  it('ask for the scopes of a payer beside the own scope where Payer Access is chosen', () => {
    expect(machineScope('r/.default', ['payer-access', 'provider-directory'])).toBe('r/.default system/*.rs');
    expect(machineScope('r/.default', ['patient-access'])).toBe('r/.default');
  });
});

describe('code samples', () => {
  it.each(sampleLanguageNames)('make the Patient read in %s with the own values', (language) => {
    const call = patientCall(origins, 'DSNP', 'p-1', { accessToken: 'tok-1', subscriptionKey: 'key-1' });
    const code = sampleOf(language, call);
    expect(code).toContain('http://dsnp.api.sandbox.localhost:8080/extfhirpatientaccess/v1/Patient/p-1');
    expect(code).toMatch(/Bearer.*tok-1/);
    expect(code).toContain('key-1');
  });

  it.each(sampleLanguageNames)('send the form of a token request in %s', (language) => {
    const code = sampleOf(language, machineTokenCall(origins, client, 'r/.default'));
    expect(code).toContain('client_credentials');
    expect(code).toContain('http://token.sandbox.localhost:8080/token/v2');
  });

  it.each(sampleLanguageNames)('sends no value a second time that works once, in %s', (language) => {
    const signed = { ...client, method: 'private_key_jwt', assertion: 'the-assertion' } as const;
    const call = tokenCall(origins, attempt, signed, 'the-code');
    const code = sampleOf(language, call);
    for (const used of ['the-code', attempt.verifier, 'the-assertion']) expect(code).not.toContain(used);
    for (const name of ['YOUR_CODE', 'YOUR_CODE_VERIFIER', 'YOUR_CLIENT_ASSERTION']) {
      expect(code).toContain(name);
    }
    expect(neededAnew(call)).toEqual(['YOUR_CODE', 'YOUR_CODE_VERIFIER', 'YOUR_CLIENT_ASSERTION']);
  });

  it('keeps every value of a call that may be repeated', () => {
    const call = machineTokenCall(origins, client, 'r/.default');
    expect(repeatable(call)).toEqual(call);
    expect(neededAnew(call)).toEqual([]);
  });
});

describe('secrets on the page', () => {
  it('are dots in the request, its code, a form and the answer', () => {
    const machine = machineTokenCall(origins, { ...client, secret: 's3cret/&' }, 'r/.default');
    const basic = tokenCall(origins, attempt, client, 'the-code');
    for (const call of [machine, basic]) {
      for (const language of sampleLanguageNames) {
        const shown = maskSecrets(sampleOf(language, call), secretsOf(call));
        expect(shown).not.toMatch(/s3cret|the-code|key-1/);
        expect(shown).not.toContain(attempt.verifier);
      }
    }
    expect(maskSecrets(requestBodyText(machine) ?? '', secretsOf(machine))).not.toContain('s3cret');
    const answer = { access_token: 'abc.def', patient: 'p-1' };
    expect(maskSecrets(JSON.stringify(answer), secretsOf(basic, answer))).toBe(
      '{"access_token":"••••••••","patient":"p-1"}',
    );
  });
});

describe('the member for a lesson', () => {
  it('is the one whose birth date is not wholly known, where that is the lesson', () => {
    const member = { lob: 'DSNP', memberId: 'm', password: 'p', patientId: 'x', name: 'N' } as const;
    const members = [
      { ...member, about: 'whole birth date; one address' },
      { ...member, memberId: 'm2', about: 'unknown birth month and day' },
    ];
    expect(memberFor('partial-birth-date', members)?.memberId).toBe('m2');
    expect(memberFor('plain', members)?.memberId).toBe('m');
    expect(memberFor('plain', [])).toBeUndefined();
  });
});
