import type { HttpCall } from './try-model.ts';

/** Secrets in a call and its response that the page masks. */

const secretFields = ['client_secret', 'client_assertion', 'code', 'code_verifier', 'token'] as const;
const secretAnswers = ['access_token', 'refresh_token', 'id_token'] as const;

/** The secret values of a call, and of its answer where that is a token. */
export function secretsOf(call: HttpCall, answer: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const [, credentials] = (call.headers.authorization ?? '').split(' ');
  const values = [
    credentials,
    call.headers['x-api-subscription-key'],
    ...secretFields.map((name) => call.body?.[name]),
    ...secretAnswers.map((name) => answer[name]),
  ];
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

const dots = '••••••••';

/** Names that stand for the secrets of a call that was kept without them, in its code. */
const names: Readonly<Record<string, string>> = {
  'x-api-subscription-key': 'YOUR_SUBSCRIPTION_KEY',
  client_secret: 'YOUR_CLIENT_SECRET',
  token: 'YOUR_ACCESS_TOKEN',
};

/** A call that was kept with dots, with names in place of the dots: its code can be completed. */
export function withNames({ headers, body, ...call }: HttpCall): HttpCall {
  const named = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => {
        const isBasic = field === 'authorization' && value.startsWith('Basic');
        const name = names[field] ?? (isBasic ? 'YOUR_CLIENT_ID_AND_SECRET_IN_BASE64' : 'YOUR_ACCESS_TOKEN');
        return [field, value.replace(dots, name)];
      }),
    );
  return { ...call, headers: named(headers), ...(body === undefined ? {} : { body: named(body) }) };
}

/** A text with dots for each secret, as it is and as a form encodes it. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const spelt = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // The longest first: a secret may begin with another one.
  const ordered = [...new Set(spelt)].sort((one, other) => other.length - one.length);
  return ordered.reduce((hidden, secret) => hidden.replaceAll(secret, dots), text);
}
