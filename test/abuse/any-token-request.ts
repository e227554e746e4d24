import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { rfc7636, theRedirectUri, theSecret } from '../authorization/builders.ts';
import { assertionType } from '../authorization/client-keys.ts';
import { resourceId } from '../authorization/handler-world.ts';
import { anyText } from '../support/any-text.ts';
import fc from '../support/property.ts';

/** Generates requests to the endpoints that clients call: valid ones, each with random faults. */

/** The clients, codes and tokens that requests refer to. */
export interface Known {
  readonly clientIds: readonly string[];
  /** Codes and tokens of every kind. Each is valid for one client. */
  readonly tokens: readonly string[];
  readonly assertions: readonly string[];
}

const endpoints = ['token', 'revoke', 'introspect', 'userinfo', 'machine'] as const;
export type Endpoint = (typeof endpoints)[number];

export interface AnyRequest {
  readonly endpoint: Endpoint;
  readonly lob: LineOfBusiness | 'nolob' | 'dsnp/';
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
  /** Client whose subscription key calls the machine-to-machine endpoint. */
  readonly subscriber: string;
}

/** Text in every value that a valid request does not have; a response that contains it repeats what was sent. */
export const canary = 'cAnArY';

type Pairs = readonly (readonly [name: string, value: string])[];

const odd = fc.oneof(
  fc.constantFrom('', '\0', '\ud800', '\u{1f600}', '%00', '../..', "' OR 1=1 --", '<b>', '\r\nX: y', '1'),
  anyText({ maxLength: 80 }),
  fc.constantFrom(64, 65, 300, 5_000).map((length) => 'x'.repeat(length)),
);
const strange = odd.map((text) => `${canary}${text}`);
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const forged = fc
  .record({
    header: fc.dictionary(fc.constantFrom('alg', 'kid', 'typ', 'crit', 'b64'), odd),
    claims: fc.jsonValue(),
  })
  .map(({ header, claims }) => `${json(header)}.${json(claims)}.${json(canary)}`);

/** @param times how many times as often as `seldom` the usual value is chosen */
const mostly = <T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>, times = 9) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: seldom });

/** Ways of client authentication: parameters of the body, and the Authorization header. */
function authentications({ clientIds, assertions, tokens }: Known) {
  const id = mostly(fc.constantFrom(...clientIds), strange);
  const secret = mostly(fc.constant<string>(theSecret), strange);
  const none = fc.constant<Pairs>([]);
  const inHeader = fc
    .tuple(id, secret)
    .map(([name, word]) => `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`);
  const bearer = mostly(fc.constantFrom(...tokens), forged).map((token) => `Bearer ${token}`);
  const spoilt = fc
    .tuple(fc.oneof(inHeader, bearer), fc.constantFrom('  ', '=', ',', '\t', '"'))
    .map((parts) => parts.join(''));
  const inBody = fc.tuple(id, secret).map(
    ([name, word]): Pairs => [
      ['client_id', name],
      ['client_secret', word],
    ],
  );
  const byKey = mostly(fc.constantFrom(...assertions), forged, 4).map(
    (assertion): Pairs => [
      ['client_assertion', assertion],
      ['client_assertion_type', assertionType],
    ],
  );
  const named = id.map((name): Pairs => [['client_id', name]]);
  const absent = fc.constant(undefined);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ pairs: none, header: inHeader }) },
    { weight: 3, arbitrary: fc.record({ pairs: inBody, header: absent }) },
    { weight: 3, arbitrary: fc.record({ pairs: byKey, header: absent }) },
    { weight: 2, arbitrary: fc.record({ pairs: named, header: absent }) },
    { weight: 2, arbitrary: fc.record({ pairs: none, header: bearer }) },
    {
      weight: 1,
      arbitrary: fc.record({
        pairs: fc.oneof(inBody, byKey, named),
        header: fc.oneof(inHeader, bearer, spoilt, strange),
      }),
    },
  );
}

/** The parameters of a request to each endpoint, without the client's authentication. */
function operations({ tokens }: Known): Readonly<Record<Endpoint, fc.Arbitrary<Pairs>>> {
  const token = mostly(fc.constantFrom(...tokens), fc.oneof(strange, forged), 4);
  const scope = fc.constantFrom('openid', 'patient/*.read', `${resourceId}/.default`);
  const exchange = token.map(
    (code): Pairs => [
      ['grant_type', 'authorization_code'],
      ['code', code],
      ['redirect_uri', theRedirectUri],
      ['code_verifier', rfc7636.verifier],
    ],
  );
  const refresh = fc
    .tuple(token, fc.option(scope))
    .map(
      ([refreshToken, narrower]): Pairs => [
        ['grant_type', 'refresh_token'],
        ['refresh_token', refreshToken],
        ...(narrower === null ? [] : [['scope', narrower] as const]),
      ],
    );
  const about = token.map((text): Pairs => [['token', text]]);
  return {
    token: fc.oneof(exchange, refresh),
    revoke: about,
    introspect: about,
    userinfo: fc.oneof(
      fc.constant<Pairs>([]),
      token.map((text): Pairs => [['access_token', text]]),
    ),
    machine: fc.constant([
      ['grant_type', 'client_credentials'],
      ['scope', `${resourceId}/.default`],
    ]),
  };
}

const names = [
  ...['grant_type', 'code', 'refresh_token', 'token', 'access_token', 'client_id', 'client_secret'],
  ...['client_assertion', 'client_assertion_type', 'redirect_uri', 'code_verifier', 'scope', 'resource'],
  ...['expires_in', 'token_type_hint', '__proto__', 'constructor', '', canary],
];

type Spoiling = (pairs: Pairs) => Pairs;

/** One fault of a request: a parameter removed, changed, repeated or added. */
const spoiling: fc.Arbitrary<Spoiling> = fc
  .record({ name: fc.constantFrom(...names), value: fc.oneof(odd, strange), how: fc.nat({ max: 2 }) })
  .map(({ name, value, how }) => (pairs: Pairs): Pairs => {
    const others = pairs.filter(([each]) => each !== name);
    if (how === 0) return others;
    return how === 1 ? [...others, [name, value]] : [...pairs, [name, value]];
  });

const form = (pairs: Pairs) =>
  pairs.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('=')).join('&');
const types = [
  ...['APPLICATION/JSON;x', 'application/x-www-form-urlencoded; charset=utf-16', 'text/plain', '', ';'],
  ...['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded, application/json'],
];

function bodies(pairs: Pairs): fc.Arbitrary<{ readonly type: string; readonly body: string }> {
  const asForm = { type: 'application/x-www-form-urlencoded', body: form(pairs) };
  const asJson = { type: 'application/json', body: JSON.stringify(Object.fromEntries(pairs)) };
  const anything = fc.record({
    type: fc.constantFrom(asForm.type, asJson.type, ...types),
    body: fc.oneof(strange, fc.json(), fc.constantFrom(asForm.body, asJson.body)),
  });
  return mostly(fc.constantFrom(asForm, asForm, asJson), anything);
}

export function anyRequest(known: Known): fc.Arbitrary<AnyRequest> {
  const asks = operations(known);
  return fc.constantFrom(...endpoints).chain((endpoint) =>
    fc
      .record({
        authentication: authentications(known),
        operation: asks[endpoint],
        spoilings: mostly(fc.constant<readonly Spoiling[]>([]), fc.array(spoiling, { maxLength: 2 }), 2),
      })
      .chain(({ authentication: { pairs, header }, operation, spoilings }) =>
        fc.record({
          endpoint: fc.constant(endpoint),
          lob: mostly<AnyRequest['lob']>(
            fc.constant('DSNP'),
            fc.constantFrom('MAPD', 'EGWP', 'nolob', 'dsnp/'),
          ),
          method: mostly(
            fc.constant('POST'),
            fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'post', canary),
          ),
          header: fc.constant(header),
          sent: bodies(spoilings.reduce<Pairs>((before, spoil) => spoil(before), [...pairs, ...operation])),
          encoded: mostly(fc.constantFrom('no', 'no', 'yes'), fc.constant('said so only')),
          subscriber: fc.constantFrom(...known.clientIds),
        }),
      )
      .map(({ header, sent: { type, body }, encoded, ...rest }) => ({
        ...rest,
        headers: { 'content-type': type, ...(header !== undefined && { authorization: header }) },
        body: encoded === 'yes' ? Buffer.from(body).toString('base64') : body,
        isBase64Encoded: encoded !== 'no',
      })),
  );
}
