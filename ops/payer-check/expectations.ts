/** Expectations of the partners' self-test. A failure says what was expected and what was received. */

import { type HttpResponse, headerText } from '../http/client.ts';

/** A check failed. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';

  constructor(expected: string, received: string) {
    super(`expected ${expected}, received ${received}`);
  }
}

type Json = Readonly<Record<string, unknown>>;

export function expectThat(isTrue: boolean, expected: string, received: string): void {
  if (!isTrue) throw new CheckFailure(expected, received);
}

export function expectStatus(response: HttpResponse, ...statuses: readonly number[]): void {
  if (statuses.includes(response.status)) return;
  throw new CheckFailure(
    `status ${statuses.join(' or ')}`,
    `${response.status} ${response.body.slice(0, 300)}`,
  );
}

/** Parses a response's body as a JSON object. */
export function jsonBody(response: HttpResponse): Json {
  let value: unknown;
  try {
    value = JSON.parse(response.body);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new CheckFailure('a JSON object', `${response.status} ${response.body.slice(0, 200)}`);
}

/** Expects a FHIR error: one of the statuses, and an OperationOutcome with an issue. */
export function expectOutcome(response: HttpResponse, ...statuses: readonly number[]): void {
  expectStatus(response, ...statuses);
  const { resourceType, issue } = jsonBody(response);
  const hasIssue = Array.isArray(issue) && issue.length > 0;
  expectThat(
    resourceType === 'OperationOutcome' && hasIssue,
    'an OperationOutcome with an issue',
    response.body.slice(0, 300),
  );
}

/** Expects an error of the token endpoint (RFC 6749 section 5.2). */
export function expectTokenError(response: HttpResponse, code: string): void {
  expectStatus(response, 400, 401);
  const { error, access_token: token } = jsonBody(response);
  expectThat(error === code && token === undefined, `the error ${code}`, response.body.slice(0, 200));
}

/** Expects a header, and returns its value. */
export function expectHeader(response: HttpResponse, name: string, pattern = /./): string {
  const value = headerText(response, name) ?? '';
  expectThat(pattern.test(value), `the header ${name} like ${pattern.source}`, value === '' ? 'none' : value);
  return value;
}
