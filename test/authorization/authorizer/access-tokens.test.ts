import { createHmac, createSign } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccessTokens } from '../../../lambdas/authorization/authorizer/access-tokens.ts';
import { createVerificationKeys } from '../../../lambdas/authorization/authorizer/verification-keys.ts';
import {
  createIssuer,
  dsnpBase,
  dsnpIssuer,
  issue,
  machineClaims,
  machineIssuerOrigin,
  memberClaims,
  nowSeconds,
  resourceId,
} from '../../platform/http/issued-tokens.ts';

const dsnp = createIssuer('dsnp-1');
const mapd = createIssuer('mapd-1');
const machine = createIssuer('m2m-1');

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = { alg: 'RS256', kid: dsnp.kid, typ: 'at+jwt' };

function createVerifier() {
  const state = { now: nowSeconds * 1000, published: JSON.stringify({ keys: [dsnp.jwk] }), imports: 0 };
  const now = () => state.now;
  const verdict = createAccessTokens({
    lob: 'DSNP',
    environment: 'sandbox',
    now,
    member: {
      issuer: dsnpIssuer,
      audience: dsnpBase,
      keys: createVerificationKeys({ readJwks: async () => state.published, now }),
    },
    machine: {
      issuer: machineIssuerOrigin,
      audience: resourceId,
      keys: createVerificationKeys({ readJwks: async () => JSON.stringify({ keys: [machine.jwk] }), now }),
    },
  });
  return { state, verdict };
}

describe('the verdict on an access token', () => {
  let verifier: ReturnType<typeof createVerifier>;
  beforeEach(() => {
    verifier = createVerifier();
  });
  const refused = async (token: string) => {
    const verdict = await verifier.verdict(token);
    return verdict.kind === 'verified' ? 'let in' : verdict.reason;
  };

  it('lets a member’s token in with its claims', async () => {
    const verdict = await verifier.verdict(await issue(memberClaims, dsnp));
    expect(verdict).toEqual({ kind: 'verified', token: { kind: 'member', claims: memberClaims } });
  });

  it('lets a machine’s token in, which names no patient', async () => {
    const verdict = await verifier.verdict(await issue(machineClaims, machine));
    expect(verdict).toEqual({ kind: 'verified', token: { kind: 'machine', claims: machineClaims } });
  });

  it.each([
    ['another LOB’s claim', { lob: 'MAPD' }, 'token_lob'],
    ['another LOB’s issuer', { iss: dsnpIssuer.replace('dsnp', 'mapd') }, 'token_issuer'],
    ['another environment’s issuer', { iss: dsnpIssuer.replace('sandbox.', '') }, 'token_issuer'],
    ['another environment’s claim', { environment: 'production' }, 'token_environment'],
    ['another LOB’s audience', { aud: dsnpBase.replace('dsnp', 'mapd') }, 'token_audience'],
    ['an audience with a slash more', { aud: `${dsnpBase}/` }, 'token_audience'],
    ['several audiences', { aud: [dsnpBase, 'elsewhere'] }, 'token_claims'],
    ['no patient', { patient: undefined }, 'token_claims'],
    ['no grant', { grant: undefined }, 'token_claims'],
    ['an empty grant', { grant: '' }, 'token_claims'],
    ['a grant too long for a key', { grant: 'g'.repeat(1_025) }, 'token_claims'],
    ['an empty client', { client_id: '' }, 'token_claims'],
    ['an empty id', { jti: '' }, 'token_claims'],
    ['no expiry', { exp: undefined }, 'token_claims'],
    ['an expiry that is text', { exp: String(memberClaims.exp) }, 'token_claims'],
    ['an expiry that has come', { exp: nowSeconds }, 'token_expired'],
    ['an issue time beyond the clocks’ difference', { iat: nowSeconds + 6 }, 'token_not_yet_valid'],
    ['a time not to be used before', { nbf: nowSeconds + 6 }, 'token_not_yet_valid'],
    ['a time before that is text', { nbf: 'soon' }, 'token_claims'],
    ['an expiry no calendar has', { exp: 1e308 }, 'token_claims'],
    ['an expiry with a fraction', { exp: nowSeconds + 0.5 }, 'token_claims'],
    ['an expiry later than any of ours', { exp: memberClaims.iat + 3_601 }, 'token_claims'],
    ['half a surrogate pair as patient', { patient: '\ud800' }, 'token_claims'],
    ['half a surrogate pair as grant', { grant: 'grant-\udc00' }, 'token_claims'],
    ['a patient that is no id', { patient: 'a/b' }, 'token_claims'],
  ])('refuses %s', async (_what, claims, reason) => {
    expect(await refused(await issue({ ...memberClaims, ...claims }, dsnp))).toBe(reason);
  });

  it('allows the issuer’s clock to be ahead by five seconds, and gives no second after the expiry', async () => {
    expect((await verifier.verdict(await issue({ ...memberClaims, iat: nowSeconds + 5 }, dsnp))).kind).toBe(
      'verified',
    );
    const lastSecond = await issue({ ...memberClaims, exp: nowSeconds + 1 }, dsnp);
    expect((await verifier.verdict(lastSecond)).kind).toBe('verified');
    verifier.state.now += 1_000;
    expect(await refused(lastSecond)).toBe('token_expired');
  });

  it('does not take a machine’s token for a member’s, nor a member’s for a machine’s', async () => {
    const asMember = await issue({ ...memberClaims, iss: machineIssuerOrigin }, machine);
    expect(await refused(asMember)).toBe('token_audience');
    const asMachine = await issue({ ...machineClaims, iss: dsnpIssuer }, dsnp);
    expect(await refused(asMachine)).toBe('token_claims');
  });

  it('refuses a token without a signature', async () => {
    const payload = encode(memberClaims);
    expect(await refused(`${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`)).toBe('token_algorithm');
    expect(await refused(`${encode(header)}.${payload}.`)).toBe('token_signature');
  });

  it('refuses a MAC made with the public key as its secret', async () => {
    const secret = dsnp.publicKey.export({ type: 'spki', format: 'pem' });
    const signed = `${encode({ ...header, alg: 'HS256' })}.${encode(memberClaims)}`;
    const mac = createHmac('sha256', secret).update(signed).digest('base64url');
    expect(await refused(`${signed}.${mac}`)).toBe('token_algorithm');
  });

  it('refuses another RSA algorithm than the one pinned', async () => {
    const signed = `${encode({ ...header, alg: 'RS512' })}.${encode(memberClaims)}`;
    const signature = createSign('sha512').update(signed).sign(dsnp.privateKey, 'base64url');
    expect(await refused(`${signed}.${signature}`)).toBe('token_algorithm');
  });

  it('refuses a key the token brings along, or names by address', async () => {
    const brought = await issue(
      memberClaims,
      { kid: 'mine', privateKey: mapd.privateKey },
      { jwk: mapd.jwk },
    );
    expect(await refused(brought)).toBe('token_key_unknown');
    const underOurId = await issue(
      memberClaims,
      { kid: dsnp.kid, privateKey: mapd.privateKey },
      { jwk: mapd.jwk },
    );
    expect(await refused(underOurId)).toBe('token_signature');
    const addressed = await issue(memberClaims, mapd, { jku: 'https://elsewhere.example.org/jwks' });
    expect(await refused(addressed)).toBe('token_key_unknown');
  });

  it.each([
    undefined,
    '',
    '../dsnp-1',
    '__proto__',
    'constructor',
    'DSNP-1',
  ])('knows no key by the id %j', async (kid) => {
    const token = await issue(memberClaims, dsnp, { kid });
    expect(await refused(token)).toMatch(/token_key_unknown/);
  });

  it('refuses an id_token, which has another type', async () => {
    expect(await refused(await issue(memberClaims, dsnp, { typ: 'JWT' }))).toBe('token_type');
    for (const typ of [undefined, 'xat+jwt', 'at+jwtx', 'text/at+jwt', 'x-application/at+jwt', 'at-jwt']) {
      expect(await refused(await issue(memberClaims, dsnp, { typ }))).toBe('token_type');
    }
  });

  it('refuses a token of which anything was changed', async () => {
    const [head = '', , signature = ''] = (await issue(memberClaims, dsnp)).split('.');
    const forged = `${head}.${encode({ ...memberClaims, patient: 'patient-2' })}.${signature}`;
    expect(await refused(forged)).toBe('token_signature');
    const cut = await issue(memberClaims, dsnp);
    const [, , whole = ''] = cut.split('.');
    const shorter = Buffer.from(whole, 'base64url').subarray(0, -6).toString('base64url');
    expect(await refused(cut.replace(whole, shorter))).toBe('token_signature');
  });

  it.each<[string, (json: string) => string]>([
    ['a claim twice', (json) => json.replace('{', '{"patient":"patient-2",')],
    ['a space', (json) => json.replace(':', ': ')],
    ['an escape nobody needs', (json) => json.replace('patient-1', 'p\\u0061tient-1')],
    ['a number in another form', (json) => json.replace(`${memberClaims.exp}`, `${memberClaims.exp}.0`)],
  ])('refuses a good signature over claims with %s', async (_what, change) => {
    const payload = Buffer.from(change(JSON.stringify(memberClaims))).toString('base64url');
    const signed = `${encode(header)}.${payload}`;
    const signature = createSign('sha256').update(signed).sign(dsnp.privateKey, 'base64url');
    expect(await refused(`${signed}.${signature}`)).toBe('token_malformed');
  });

  it('refuses another last character of the same signature', async () => {
    const token = await issue(memberClaims, dsnp);
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
      (last) => last !== token.at(-1),
    );
    for (const last of others)
      expect(await refused(token.slice(0, -1) + last)).toMatch(/malformed|signature/);
    expect((await verifier.verdict(token)).kind).toBe('verified');
  });

  it.each([
    '',
    'a',
    'a.b',
    'a.b.c',
    'a.b.c.d.e',
    `${'a'.repeat(5_000)}.b.c`,
    `${encode(header)}.bnVsbA.c`,
  ])('refuses %j, which is no token', async (text) => {
    expect(await refused(text)).toBe('token_malformed');
  });

  it('refuses a remembered token when its key is no longer published', async () => {
    const token = await issue(memberClaims, dsnp);
    expect((await verifier.verdict(token)).kind).toBe('verified');
    verifier.state.published = JSON.stringify({ keys: [mapd.jwk] });
    verifier.state.now += 15_000;
    expect(await refused(token)).toBe('token_key_unknown');
  });

  it('remembers a bounded number of tokens and judges the forgotten ones anew', async () => {
    const first = await issue(memberClaims, dsnp);
    expect((await verifier.verdict(first)).kind).toBe('verified');
    for (let n = 0; n < 1_001; n += 1)
      await verifier.verdict(await issue({ ...memberClaims, jti: `t${n}` }, dsnp));
    expect((await verifier.verdict(first)).kind).toBe('verified');
  });
});
