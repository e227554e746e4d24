import { bodyFields, type HttpCall } from './http-call.ts';

/** Masks secrets in a call and its response. */

const secretFields = [
  'client_secret',
  'client_assertion',
  'code',
  'code_verifier',
  'token',
  'refresh_token',
] as const;
const secretAnswers = ['access_token', 'refresh_token', 'id_token'] as const;

/** Lists the secrets in a call, and the tokens in its response. */
export function secretsOf(call: HttpCall, answer: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const [, credentials] = (call.headers.authorization ?? '').split(' ');
  const values = [
    credentials,
    call.headers['x-api-subscription-key'],
    ...secretFields.map((name) => bodyFields(call)[name]),
    ...secretAnswers.map((name) => answer[name]),
  ];
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

const dots = '••••••••';

/** Placeholders for secrets in the sample code of a call that was stored without them. */
const names: Readonly<Record<string, string>> = {
  'x-api-subscription-key': 'YOUR_SUBSCRIPTION_KEY',
  client_secret: 'YOUR_CLIENT_SECRET',
  token: 'YOUR_ACCESS_TOKEN',
  refresh_token: 'YOUR_REFRESH_TOKEN',
};

/** Replaces the dots in a stored call by placeholders, so that its sample code can be completed. */
export function withNames({ headers, body, ...call }: HttpCall): HttpCall {
  const named = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => {
        const isBasic = field === 'authorization' && value.startsWith('Basic');
        const name = names[field] ?? (isBasic ? 'YOUR_CLIENT_ID_AND_SECRET_IN_BASE64' : 'YOUR_ACCESS_TOKEN');
        return [field, value.replace(dots, name)];
      }),
    );
  return {
    ...call,
    headers: named(headers),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : named(body) }),
  };
}

/** Replaces each secret in a text by dots, both as it is and URL-encoded. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const spelt = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // The longest first, because one secret may be the beginning of another.
  const ordered = [...new Set(spelt)].sort((one, other) => other.length - one.length);
  return ordered.reduce((hidden, secret) => hidden.replaceAll(secret, dots), text);
}
