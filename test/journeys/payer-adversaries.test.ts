import { expect, it } from 'vitest';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { Environment } from '../../lambdas/catalog/environments.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { leakIn, type PayerHoldings, payerRequests, textsOf } from '../abuse/payer-requests.ts';
import { inTurn } from '../support/matrix-turn.ts';
import { memberToken } from '../support/member-token.ts';
import {
  http,
  localFetch,
  memberOf,
  originsOf,
  patiently,
  provision,
  redirectUri,
  register,
  registrationOf,
} from './journey.ts';
import { type PayerApplication, payerHeaders, payerHoldings, registerPayer } from './payer-client.ts';

/**
 * Requests of every Payer Access operation for one payer's member, group and jobs with credentials that a host's authorizer must refuse: of
 * other lines of business, environments and applications, expired, suspended. These refusals are logged and not audited (docs/audit.md).
 * The function's own decisions are tested in test/abuse/payer-matrix.engine.test.ts.
 */

const lob = 'DSNP';
const member = memberOf('sandbox', lob);
const texts = textsOf(
  member.resources,
  syntheticMembers('sandbox').flatMap((other) => (other === member ? [] : other.resources)),
);

type Headers = Readonly<Record<string, string>>;

let payer: PayerApplication;
let headers: Headers;
let holdings: PayerHoldings;

it('has a payer that matches and exports', async () => {
  payer = await registerPayer(lob);
  headers = await payerHeaders(payer);
  holdings = await payerHoldings(baseOf(), headers, member);
  expect(holdings.file).not.toBe('');
});

function baseOf(environment: Environment = 'sandbox', at: LineOfBusiness = lob): string {
  return fhirBase(originsOf(environment), at, 'payer-access');
}

interface Adversary {
  readonly credentials: () => Headers | Promise<Headers>;
  readonly status: number;
  readonly base?: () => string;
}

const withKeyOf = (own: Headers, other: Headers): Headers => ({
  ...own,
  'x-api-subscription-key': other['x-api-subscription-key'] ?? '',
});

const adversaries: Readonly<Record<string, Adversary>> = {
  'no credentials': { credentials: () => ({}), status: 401 },
  'the payer’s token at another line of business': {
    credentials: () => headers,
    base: () => baseOf('sandbox', 'MAPD'),
    status: 403,
  },
  'a payer of another line of business': {
    credentials: async () => await payerHeaders(await registerPayer('MAPD')),
    status: 403,
  },
  'the payer’s token in production': {
    credentials: () => headers,
    base: () => baseOf('production'),
    status: 401,
  },
  'a payer’s token of production': {
    credentials: async () => await payerHeaders(await registerPayer(lob, 'production')),
    status: 401,
  },
  'the payer’s token with a key of production': {
    credentials: async () => withKeyOf(headers, await payerHeaders(await registerPayer(lob, 'production'))),
    status: 403,
  },
  'the payer’s token with another application’s key': {
    credentials: async () => withKeyOf(headers, await payerHeaders(await registerPayer(lob))),
    status: 403,
  },
  'an expired token': { credentials: expiredToken, status: 401 },
  'a token without a scope of FHIR': {
    credentials: async () => await payerHeaders(payer, { scope: payer.machineScope }),
    status: 403,
  },
  'the member’s own application': { credentials: ownApplication, status: 403 },
  // The last case, since the cases above use the credentials of this application.
  'a suspended application': {
    async credentials() {
      const { clientId } = payer;
      await provision('sandbox', { action: 'suspend', requestId: `suspend-${clientId}`, clientId });
      return headers;
    },
    status: 403,
  },
};

/** @returns the payer's credentials with an expired token */
async function expiredToken(): Promise<Headers> {
  const short = await payerHeaders(payer, { expires_in: '1' });
  const read = () => localFetch(`${baseOf()}/Patient/${member.patientId}`, { headers: short });
  await expect.poll(async () => (await patiently(read)).status).toBe(401);
  return short;
}

/** @returns the credentials of an application with which the member shares everything */
async function ownApplication(): Promise<Headers> {
  const app = await register('sandbox', registrationOf(lob, { pkceRequired: false }));
  const token = await memberToken(http, originsOf('sandbox'), member, app, redirectUri);
  return { authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey };
}

it.each(
  inTurn(Object.entries(adversaries)),
)('%s gets an OperationOutcome from every operation, and nothing of the member', async (_name, adversary) => {
  const { credentials, status, base = baseOf } = adversary;
  const own = await credentials();
  for (const request of payerRequests(holdings)) {
    const { method, path, query, body, headers: more } = request;
    const url = `${base()}/${path}?${new URLSearchParams(query)}`;
    const sent = { method, headers: { ...more, ...own }, ...(body !== undefined && { body }) };
    const answer = await patiently(() => localFetch(url, { ...sent, redirect: 'manual' }));
    const text = await answer.text();
    expect(answer.status, `${method} ${path}: ${text}`).toBe(status);
    expect(JSON.parse(text).resourceType, `${method} ${path}`).toBe('OperationOutcome');
    const found = leakIn({ headers: [...answer.headers], text }, request, texts);
    expect(found, `${method} ${path}`).toBeUndefined();
  }
});
