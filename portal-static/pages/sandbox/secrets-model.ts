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

/** A text with dots for each secret, as it is and as a form encodes it. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const spelt = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // The longest first: a secret may begin with another one.
  const ordered = [...new Set(spelt)].sort((one, other) => other.length - one.length);
  return ordered.reduce((hidden, secret) => hidden.replaceAll(secret, '••••••••'), text);
}
