import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { dataGroups } from '../../lambdas/catalog/fhir/data-groups.ts';
import { memberAccessToken } from '../../lambdas/catalog/oauth/access-token.ts';
import { parse } from '../../lambdas/platform/kernel/shapes.ts';
import { grantKey } from '../../lambdas/platform/table/table-keys.ts';
import { sharingAll, theMember } from './builders.ts';
import { eventOf, headerOf, redirectOf } from './events.ts';
import { startHandlerWorld } from './handler-world.ts';
import { authorizationQuery, consentForm, obtainCode, openConsent, redeem, tokenCall } from './journey.ts';

const world = await startHandlerWorld();
afterAll(() => world.stop());

async function verify(token: string, jwksPath = '/fhir-oauth2/pub/dsnp/jwks') {
  const jwks = await world.discovery(eventOf({ path: jwksPath }));
  return await jwtVerify(token, createLocalJWKSet(JSON.parse(jwks.body)));
}

describe('from the authorization request to the token', () => {
  it('gives a token of the member, the client and the LOB', async () => {
    const client = await world.register();
    const code = await obtainCode(world, authorizationQuery(client.clientId));
    const answer = await redeem(world, client.clientId, code);
    expect(answer.statusCode).toBe(200);
    expect(headerOf(answer, 'cache-control')).toBe('no-store');
    const body = JSON.parse(answer.body);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 1800,
      scope: `openid fhirUser launch/patient ${sharingAll}`,
      patient: theMember.patientId,
    });
    const access = await verify(body.access_token);
    expect(access.protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    const claims = parse(memberAccessToken, access.payload);
    expect(claims).toMatchObject({
      iss: 'https://auth.sandbox.example.org/fhir-oauth2/dsnp',
      aud: 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1',
      client_id: client.clientId,
      lob: 'DSNP',
      environment: 'sandbox',
      patient: theMember.patientId,
    });
    const grant = await world.table.get(grantKey('DSNP', claims.patient, claims.grant));
    expect(grant).toMatchObject({ state: 'active', expiresAt: claims.exp, clientId: client.clientId });
    const idToken = await verify(body.id_token);
    expect(idToken.payload).toMatchObject({
      aud: client.clientId,
      sub: theMember.sub,
      nonce: 'nonce-1',
      fhirUser: `https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1/Patient/${theMember.patientId}`,
    });
  });

  it('gives a token of the data groups the member left ticked, and of no other', async () => {
    const client = await world.register();
    const scopesOf = async (scope: string, ticked: readonly string[]) => {
      const code = await obtainCode(world, authorizationQuery(client.clientId, { scope }), ticked);
      const body = JSON.parse((await redeem(world, client.clientId, code)).body);
      const { payload } = await verify(body.access_token);
      const grant = await world.table.get(grantKey('DSNP', theMember.patientId, String(payload.grant)));
      expect([payload.scope, grant?.scope]).toEqual([body.scope, body.scope]);
      return body.scope;
    };
    expect(
      await scopesOf(
        'openid',
        dataGroups.map(({ id }) => id),
      ),
    ).toBe(`openid ${sharingAll}`);
    expect(await scopesOf('openid', ['details', 'coverage'])).toBe(
      'openid patient/Patient.read patient/Coverage.read',
    );
    expect(await scopesOf('launch/patient patient/*.rs', ['coverage'])).toBe(
      'launch/patient patient/Coverage.rs',
    );
    expect(await scopesOf('patient/Coverage.r patient/ExplanationOfBenefit.s', ['claims', 'details'])).toBe(
      'patient/ExplanationOfBenefit.s',
    );
    // Selecting a data group that was not requested does not grant it.
    expect(await scopesOf('patient/Coverage.r patient/Patient.r', ['coverage', 'claims'])).toBe(
      'patient/Coverage.r',
    );
  });

  it('asks again where no group is left ticked, and grants nothing', async () => {
    const client = await world.register();
    const opened = await openConsent(world, authorizationQuery(client.clientId, { scope: 'openid' }));
    expect(
      [...opened.page.body.matchAll(/type="checkbox"[^>]*value="([\w-]+)"[^>]* checked/g)].map(
        ([, id]) => id,
      ),
    ).toEqual(dataGroups.filter(({ sensitive }) => !sensitive).map(({ id }) => id));
    const nothing = await world.authorize(eventOf(consentForm(opened, 'share', [])));
    expect(nothing.statusCode).toBe(400);
    expect(nothing.body).not.toContain(' checked');
    const answer = await world.authorize(eventOf(consentForm(opened, 'share', ['claims'])));
    expect(redirectOf(answer).get('code')).not.toBeNull();
  });

  it('sends code, state and iss back, and forgets the browser', async () => {
    const client = await world.register();
    const opened = await openConsent(world, authorizationQuery(client.clientId));
    const answer = await world.authorize(eventOf(consentForm(opened, 'share')));
    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer).get('state')).toBe('state-1');
    expect(redirectOf(answer).get('iss')).toBe('https://auth.sandbox.example.org/fhir-oauth2/dsnp');
    expect(headerOf(answer, 'set-cookie')).toContain('Max-Age=0');
  });

  it('refuses a code redeemed twice and ends what it bought', async () => {
    const client = await world.register();
    const code = await obtainCode(world, authorizationQuery(client.clientId));
    const first = JSON.parse((await redeem(world, client.clientId, code)).body);
    const second = await redeem(world, client.clientId, code);
    expect(second.statusCode).toBe(400);
    expect(JSON.parse(second.body).error).toBe('invalid_grant');
    const { payload } = await verify(first.access_token);
    const grant = await world.table.get(grantKey('DSNP', theMember.patientId, String(payload.grant)));
    expect(grant).toMatchObject({ state: 'revoked', endedBecause: 'code_replayed' });
  });

  it('lets one of 100 concurrent redemptions win', async () => {
    const client = await world.register();
    const code = await obtainCode(world, authorizationQuery(client.clientId));
    const event = () => eventOf(tokenCall(client.clientId, code));
    const answers = await Promise.all(Array.from({ length: 100 }, () => world.token(event())));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    for (const { statusCode, body } of answers.filter((answer) => answer.statusCode !== 200)) {
      expect([400, 503]).toContain(statusCode);
      expect(['invalid_grant', 'temporarily_unavailable']).toContain(JSON.parse(body).error);
    }
  });
});
