/** Explains a refused authorization request for the log of calls of its application. */

import type { AuthorizationErrorCode, UnredirectableReason } from '../../catalog/oauth/oauth-errors.ts';
import { type Parameters, valuesOf } from '../oauth/parameters.ts';
import type { PageCheck, RedirectCheck, UnverifiedRequest } from './request-checks.ts';

/** A refused authorization request as the log of calls has it. It has no secret and no data of a member. */
export interface RefusedRequest extends RefusalExplanation {
  readonly clientId: string;
  readonly reason: UnredirectableReason | AuthorizationErrorCode;
}

/** The registered or required values, and what was sent: parts of a sentence. */
export interface RefusalExplanation {
  readonly expected: string;
  readonly received: string;
}

type Show = (value: string) => string;

const whole: Show = (value) => value;

/** An address without its query, fragment and user information, which an application may fill with what concerns a member. */
const address: Show = (value) =>
  value
    .replace(/[?#].*$/s, (rest) => `${rest[0]}… (${rest.length - 1} characters)`)
    .replace(/\/\/[^/@]*@/, '//…@');

/** The texts of `scope` that have the form of one. */
const scopes: Show = (value) => {
  const sent = value.split(' ').filter((text) => text !== '');
  const inForm = sent.filter((text) => scopeForm.test(text));
  const others = sent.length - inForm.length;
  return [...inForm, ...(others === 0 ? [] : [`${others} of another form`])].join(' ');
};

const scopeForm =
  /^(?:openid|profile|email|fhirUser|(?:offline|online)_access|launch\/[a-z]{1,20}|(?:patient|user|system)\/[A-Za-z*]{1,40}\.[a-z*]{1,10})$/;

/** The logged form of parameters. Of all others the line has the length only: they may be secrets, or name a member. */
const shownParameters: Readonly<Record<string, Show>> = {
  redirect_uri: address,
  response_type: whole,
  response_mode: whole,
  code_challenge_method: whole,
  aud: address,
  resource: address,
  prompt: whole,
  max_age: whole,
  scope: scopes,
};

/** Maximum characters of each text in the line. */
const longest = 600;

/** Explains the failure of a check. @param description of the error, where the application gets one. */
export function explainRefusal(
  { expected, explainedBy }: PageCheck | RedirectCheck,
  request: UnverifiedRequest,
  description?: string,
): RefusalExplanation {
  const received =
    sentParameters(explainedBy, request.parameters) ||
    description ||
    'one that is suspended, revoked or not yet approved';
  return {
    expected: visible(typeof expected === 'string' ? expected : expected(request)),
    received: visible(received),
  };
}

function sentParameters(names: readonly string[], parameters: Parameters): string {
  return names.map((name) => sent(name, valuesOf(parameters, name))).join(', ');
}

/** A parameter as it was sent: its value, its length, or its absence. */
function sent(name: string, values: readonly string[]): string {
  const [value] = values;
  if (value === undefined) return `no ${name}`;
  const show = shownParameters[name];
  if (show !== undefined) return `${name}=${values.map(show).join(' ')}`;
  return `${name} of ${value.length} characters`;
}

/** A text of at most `longest` characters. Invisible ones and those that change the direction of others are percent-encoded. */
function visible(text: string): string {
  const cut = text.slice(0, longest).toWellFormed();
  const shown = cut.replace(/[[\p{C}\p{Z}]--[ ]]/gv, encodeURIComponent);
  return text.length > longest || shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}
