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

/** One issue of the 400 OperationOutcome of a search. */
export interface SearchIssue {
  readonly code: (typeof searchIssueCodes)[number];
  readonly diagnostics: string;
}

/** The name and value of a parameter, decoded. */
export type Parameter = readonly [name: string, value: string];

/** The value of a parameter as it was understood, or the issue it is refused with. */
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

/** A text of a request as an answer may repeat it: short, in one line, without control characters. */
export function printable(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{C}\p{Z}]/gu, ' ');
  const characters = Array.from(plain.slice(0, 200));
  return characters.length > 60
    ? `‘${characters.slice(0, 60).join('').toWellFormed()}…’`
    : `‘${characters.join('')}’`;
}
