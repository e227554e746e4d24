/** Issues of search parameters, for the OperationOutcome. */

import type { OperationOutcomeIssue } from 'fhir/r4.js';

/** Codes of issues (IssueType, http://hl7.org/fhir/issue-type). */
export const searchIssueCodes = [
  'invalid',
  'not-supported',
  'processing',
  'required',
  'too-costly',
] as const satisfies readonly OperationOutcomeIssue['code'][];

/** An issue of a search's OperationOutcome (status 400). */
export interface SearchIssue {
  readonly code: (typeof searchIssueCodes)[number];
  readonly diagnostics: string;
}

/** The name and value of a parameter, decoded. */
export type Parameter = readonly [name: string, value: string];

/** The parsed value of a parameter, or the issue that refuses it. */
export type ParameterReading<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'rejected'; readonly issue: SearchIssue };

export function understood<Value>(read: Value): ParameterReading<Value> {
  return { kind: 'value', value: read };
}

export function rejected(issue: SearchIssue): ParameterReading<never> {
  return { kind: 'rejected', issue };
}

export function invalid(diagnostics: string): SearchIssue {
  return { code: 'invalid', diagnostics };
}

export function notSupported(diagnostics: string): SearchIssue {
  return { code: 'not-supported', diagnostics };
}

/** Shortens a text of the request to one line without control characters, so that a response may repeat it. */
export function printable(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{C}\p{Z}]/gu, ' ');
  const characters = Array.from(plain.slice(0, 200));
  return characters.length > 60
    ? `‘${characters.slice(0, 60).join('').toWellFormed()}…’`
    : `‘${characters.join('')}’`;
}
