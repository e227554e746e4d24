import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { TokenVerdict } from '../../../lambdas/authorization/authorizer/access-tokens.ts';
import {
  authorizerResponse,
  createAuthorizer,
} from '../../../lambdas/authorization/authorizer/authorizer.ts';
import type { KeyVerdict } from '../../../lambdas/authorization/authorizer/subscription-key.ts';
import { memberContext } from '../../../lambdas/catalog/oauth/authorizer-context.ts';
import { parse, safeParse } from '../../../lambdas/platform/kernel/shapes.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { machineClaims, memberClaims } from '../../platform/http/issued-tokens.ts';

const stage = 'arn:aws:execute-api:us-east-1:111111111111:api1/live';
const goodKey: KeyVerdict = {
  kind: 'active',
  clientId: 'client-1',
  products: ['patient-access', 'payer-access'],
};
const goodToken: TokenVerdict = {
  kind: 'verified',
  token: { kind: 'member', claims: { ...memberClaims, environment: 'sandbox' } },
};
const machineToken: TokenVerdict = {
  kind: 'verified',
  token: { kind: 'machine', claims: { ...machineClaims, environment: 'sandbox' } },
};

interface Call {
  readonly key?: KeyVerdict | Error;
  readonly token?: TokenVerdict;
  readonly headers?: Record<string, string>;
  readonly multiValueHeaders?: Record<string, string[]>;
  readonly resource?: string;
  /** Verdict about the application of the token's client, which decides if calls need no subscription key. */
  readonly application?: KeyVerdict;
}

const patientPath = '/extfhirpatientaccess/v1/Patient/{id}';
const lines: { code: string; fields: unknown }[] = [];

async function authorize(call: Call = {}) {
  const seen: string[] = [];
  const key = call.key ?? goodKey;
  const { application } = call;
  const authorizer = createAuthorizer({
    subscriptionKeys: async (value) => {
      if (key instanceof Error) throw key;
      return value === '' ? { kind: 'refusal', reason: 'key_unknown' } : key;
    },
    accessTokens: async (token) => {
      seen.push(token);
      return call.token ?? goodToken;
    },
    ...(application !== undefined && {
      applications: async (clientId: string) => {
        seen.push(clientId);
        return application;
      },
    }),
    log: (_level, code, fields) => lines.push({ code, fields }),
  });
  const headers = call.headers ?? { 'X-Api-Subscription-Key': 'the-key', Authorization: 'Bearer a.b.c' };
  const event = {
    headers,
    multiValueHeaders: call.multiValueHeaders,
    resource: call.resource ?? patientPath,
    methodArn: `${stage}/GET/extfhirpatientaccess/v1/Patient/patient-1`,
    requestContext: { requestId: 'r1' },
  } as unknown as APIGatewayRequestAuthorizerEvent;
  return { answer: await authorizer(event), seen };
}

const effect = (answer: APIGatewayAuthorizerResult) => answer.policyDocument.Statement[0]?.Effect;

describe('the authorizer of a LOB’s API', () => {
  it('lets a good token with its application’s key in, for the whole stage and metered by the key', async () => {
    const { answer } = await authorize();
    expect(answer).toEqual({
      principalId: 'client-1',
      usageIdentifierKey: 'the-key',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${stage}/*` }],
      },
      context: {
        clientId: 'client-1',
        products: 'patient-access payer-access',
        grantId: 'grant-1',
        patientId: 'patient-1',
        scope: 'openid patient/Patient.read',
        tokenId: 'token-1',
        tokenExpiresAt: String(memberClaims.exp),
      },
    });
  });

  it('tells the function behind what its schema asks for', async () => {
    const { answer } = await authorize();
    expect(parse(memberContext, answer.context)).toMatchObject({
      products: ['patient-access', 'payer-access'],
      tokenExpiresAt: memberClaims.exp,
    });
  });

  it('denies a bad token whatever the key, with no key to meter and nothing of the token', async () => {
    const { answer } = await authorize({ token: { kind: 'refusal', reason: 'token_expired' } });
    expect(effect(answer)).toBe('Deny');
    expect(answer.usageIdentifierKey).toBeUndefined();
    expect(answer.context).toEqual({ reason: 'token_expired' });
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'a.b.c',
    'Bearer a b',
    'Bearer ä',
  ])('denies the Authorization header %j without looking for a token in it', async (Authorization) => {
    const { answer, seen } = await authorize({ headers: { 'x-api-subscription-key': 'k', Authorization } });
    expect(effect(answer)).toBe('Deny');
    expect(seen).toEqual([]);
  });

  it('reads header names and the scheme in any case', async () => {
    const headers = { 'X-API-SUBSCRIPTION-KEY': 'k', AUTHORIZATION: 'bEARER a.b.c' };
    const { answer, seen } = await authorize({ headers });
    expect(seen).toEqual(['a.b.c']);
    expect(answer.usageIdentifierKey).toBe('k');
  });

  it.each([
    ['unknown', { kind: 'refusal', reason: 'key_unknown' } as const, 'key_unknown'],
    ['suspended', { kind: 'refusal', reason: 'key_suspended' } as const, 'key_suspended'],
    ['another application’s', { ...goodKey, clientId: 'client-2' } as const, 'key_of_another_client'],
  ])('leaves the refusal of a key that is %s to the gateway: no key to meter, no client', async (_what, key, reason) => {
    const { answer } = await authorize({ key });
    expect(effect(answer)).toBe('Allow');
    expect(answer.usageIdentifierKey).toBeUndefined();
    expect(answer.context).not.toHaveProperty('clientId');
    expect(answer.context?.reason).toBe(reason);
  });

  it('gives a machine’s token no patient and no grant', async () => {
    const { answer } = await authorize({ token: machineToken });
    expect(answer.context).toMatchObject({ clientId: 'client-1' });
    expect(answer.context).not.toHaveProperty('patientId');
    expect(answer.context).not.toHaveProperty('grantId');
  });

  it('meters two keys of an application as one, and says which of them it was', async () => {
    for (const apiKeyId of ['k1', 'k2']) {
      const { answer } = await authorize({
        key: { ...goodKey, apiKeyId, meteringKey: 'of-the-application' },
      });
      expect(answer.usageIdentifierKey).toBe('of-the-application');
      expect(answer.context).toMatchObject({ apiKeyId });
    }
  });

  it.each([
    [{ authorization: ['Bearer a.b.c', 'Bearer d.e.f'] }, 'Deny', 'token_malformed'],
    [{ Authorization: ['Bearer a.b.c'], authorization: ['Bearer a.b.c'] }, 'Deny', 'token_malformed'],
    [{ Authorization: ['Bearer a.b.c'], 'x-api-subscription-key': ['k', 'l'] }, 'Allow', 'key_unknown'],
  ])('takes no credential from a header that came twice: %j', async (multiValueHeaders, expected, reason) => {
    const { answer, seen } = await authorize({
      multiValueHeaders: { 'x-api-subscription-key': ['k'], ...multiValueHeaders },
    });
    expect(effect(answer)).toBe(expected);
    expect(answer.usageIdentifierKey).toBeUndefined();
    expect(answer.context?.reason).toBe(reason);
    expect(seen).not.toContain('d.e.f');
  });

  it('lets the key decide alone where no token is asked for', () => {
    const known = authorizerResponse(
      `${stage}/GET/extfhirproviderdir/v1/Location`,
      'the-key',
      goodKey,
      undefined,
    );
    expect(known).toMatchObject({
      principalId: 'client-1',
      usageIdentifierKey: 'the-key',
      context: { clientId: 'client-1', products: 'patient-access payer-access' },
    });
    const unknown = authorizerResponse(
      `${stage}/GET/`,
      'the-key',
      { kind: 'refusal', reason: 'key_unknown' },
      undefined,
    );
    expect(effect(unknown)).toBe('Allow');
    expect(unknown).not.toHaveProperty('usageIdentifierKey');
  });

  it('guards a path it doesn’t know as strictly as a member’s', async () => {
    const { answer } = await authorize({
      resource: '/unknown',
      token: { kind: 'refusal', reason: 'token_lob' },
    });
    expect(effect(answer)).toBe('Deny');
  });

  it('decides nothing when the store is unavailable', async () => {
    await expect(authorize({ key: new StoreUnavailable('down') })).rejects.toThrow(StoreUnavailable);
    const denied = authorize({
      key: new StoreUnavailable('down'),
      headers: { 'x-api-subscription-key': 'k' },
    });
    await expect(denied).rejects.toThrow(StoreUnavailable);
  });

  it('logs why it decided nothing: a busy store, or a defect', async () => {
    lines.length = 0;
    await expect(authorize({ key: new StoreUnavailable('down') })).rejects.toThrow();
    await expect(authorize({ key: new TypeError('a secret of somebody’s') })).rejects.toThrow();
    expect(lines).toEqual([
      { code: 'store_unavailable', fields: { requestId: 'r1', errorName: 'StoreUnavailable' } },
      { code: 'defect', fields: { requestId: 'r1', errorName: 'TypeError' } },
    ]);
  });

  it('logs a refusal by its code, and neither key nor token', async () => {
    lines.length = 0;
    await authorize({ token: { kind: 'refusal', reason: 'token_signature' } });
    expect(lines).toEqual([{ code: 'call_refused', fields: { requestId: 'r1', reason: 'token_signature' } }]);
  });
});

describe('the authorizer where a token alone lets a call in', () => {
  const application: KeyVerdict = { ...goodKey, meteringKey: 'metered' };
  const headers = { Authorization: 'Bearer a.b.c' };

  it('meters the call as the token’s application’s', async () => {
    const { answer, seen } = await authorize({ application, headers });
    expect(effect(answer)).toBe('Allow');
    expect(answer).toMatchObject({
      usageIdentifierKey: 'metered',
      context: { clientId: 'client-1', products: 'patient-access payer-access', patientId: 'patient-1' },
    });
    expect(safeParse(memberContext, answer.context)).toBeDefined();
    expect(seen).toEqual(['a.b.c', 'client-1']);
  });

  it('does not look at a key that is sent all the same', async () => {
    const { answer } = await authorize({ application, key: { kind: 'refusal', reason: 'key_unknown' } });
    expect(answer.usageIdentifierKey).toBe('metered');
  });

  it('lets nobody in for an application that may not act, or is not of this LOB', async () => {
    for (const reason of ['key_suspended', 'key_revoked', 'key_unknown'] as const) {
      const { answer } = await authorize({ application: { kind: 'refusal', reason }, headers });
      expect(answer.usageIdentifierKey).toBeUndefined();
      expect(answer.context).toMatchObject({ reason });
      expect(answer.context).not.toHaveProperty('clientId');
    }
  });

  it('denies a bad token without a look at any application', async () => {
    const token = { kind: 'refusal', reason: 'token_expired' } as const;
    const { answer, seen } = await authorize({ application, headers, token });
    expect(effect(answer)).toBe('Deny');
    expect(seen).toEqual(['a.b.c']);
    expect(effect((await authorize({ application, headers: {} })).answer)).toBe('Deny');
  });
});
