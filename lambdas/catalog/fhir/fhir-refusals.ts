/** Status, OperationOutcome and WWW-Authenticate of every refusal on the FHIR hosts. */

import type { OperationOutcomeIssue } from 'fhir/r4.js';
import { jobLimits } from '../payer/job-kinds.ts';
import { directoryTypes } from './directory-types.ts';
import { searchBounds } from './fhir-resources.ts';

/**
 * The response of a refusal: its OperationOutcome (made in `lambdas/platform/http/operation-outcome.ts`) and headers. The advice to
 * developers is in `fhir-fixes.ts`, which no function loads.
 */
interface Wording {
  readonly status: number;
  /** IssueType (http://hl7.org/fhir/issue-type). */
  readonly code: OperationOutcomeIssue['code'];
  readonly diagnostics: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Responses of the FHIR functions' refusals, by code. Those of a bearer token have the errors of RFC 6750 section 3.1. */
export const fhirRefusals = {
  'not-found': {
    status: 404,
    code: 'not-found',
    diagnostics: 'The resource was not found.',
  },
  'unknown-path': {
    status: 404,
    code: 'not-supported',
    diagnostics: 'The path was not found.',
  },
  'method-not-allowed': {
    status: 405,
    code: 'not-supported',
    diagnostics: 'This path does not support the method.',
  },
  'not-acceptable': {
    status: 406,
    code: 'not-supported',
    diagnostics: 'Resources are sent as application/fhir+json or application/json only.',
  },
  'unsupported-media-type': {
    status: 415,
    code: 'not-supported',
    diagnostics:
      'A search by POST takes its parameters as application/x-www-form-urlencoded, an operation as application/fhir+json.',
  },
  'form-malformed': {
    status: 400,
    code: 'invalid',
    diagnostics: 'The body is not valid form encoding.',
  },
  'parameters-malformed': {
    status: 400,
    code: 'structure',
    diagnostics: 'The body is not a Parameters resource whose parameters have a name and a primitive value.',
  },
  'form-too-long': {
    status: 413,
    code: 'too-long',
    diagnostics: `The body is too long. The body of a search or an operation has at most ${searchBounds.formBytes} bytes.`,
  },
  'unknown-directory-type': {
    status: 404,
    code: 'not-supported',
    diagnostics: `The Provider Directory has no such path. Its types are ${directoryTypes.join(', ')}; networks are of the type Organization.`,
  },
  'publication-gone': {
    status: 410,
    code: 'deleted',
    diagnostics:
      'The publication that this address belongs to is no longer kept. Start again: a search without _cursor, a download from a new manifest.',
  },
  'invalid-search': {
    status: 400,
    code: 'invalid',
    diagnostics: 'The search request is invalid.',
  },
  'invalid-token': {
    status: 401,
    code: 'login',
    diagnostics: 'The access token has expired, or its grant has ended.',
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  },
  'insufficient-scope': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The access token does not allow this request.',
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
  },
  'product-missing': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The application has no subscription to this interface.',
  },
  'organization-unverified': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The application has no verified organization.',
  },
  'member-not-matched': {
    status: 422,
    code: 'processing',
    diagnostics: 'No single member was matched, or the member has ended the permission.',
  },
  'too-many-matches': {
    status: 429,
    code: 'throttled',
    diagnostics:
      'Too many requests of this application, or for this member, matched no member. Try again later.',
  },
  'async-only': {
    status: 400,
    code: 'invalid',
    diagnostics: 'The operation is asynchronous. Send the header Prefer: respond-async.',
  },
  'request-too-long': {
    status: 413,
    code: 'too-long',
    diagnostics: `The body is too long. The body of this operation has at most ${jobLimits.bodyBytes} bytes.`,
  },
  'too-many-jobs': {
    status: 429,
    code: 'throttled',
    diagnostics: `The application has ${jobLimits.activeJobs} jobs that have not ended. Try again when one has.`,
  },
  'too-many-members': {
    status: 429,
    code: 'throttled',
    diagnostics:
      'The request has more members than may still match no member today. No member of it was judged. Members of a job count until they have matched.',
  },
  'job-failed': {
    status: 500,
    code: 'exception',
    diagnostics: 'The job failed and has no result.',
  },
  'file-withheld': {
    status: 410,
    code: 'deleted',
    diagnostics: 'A member whose data the file has no longer consents. Request a new export.',
  },
  'key-invalid': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The subscription key is not valid for this application.',
  },
} as const satisfies Readonly<Record<string, Wording>>;

export type FhirRefusal = keyof typeof fhirRefusals;

/** Responses to failures of the server. */
export const fhirFailures = {
  defect: {
    status: 500,
    code: 'exception',
    diagnostics: 'The service failed to process the request.',
  },
  unavailable: {
    status: 503,
    code: 'transient',
    diagnostics: 'The service is busy. Try again.',
    headers: { 'Retry-After': '1' },
  },
  'publication-unavailable': {
    status: 503,
    code: 'transient',
    diagnostics: 'The directory can not be read at the moment, or nothing was published yet. Try again.',
    headers: { 'Retry-After': '30' },
  },
} as const satisfies Readonly<Record<string, Wording>>;

export type FhirFailure = keyof typeof fhirFailures;
