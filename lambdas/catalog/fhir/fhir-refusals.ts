/** Status, OperationOutcome and WWW-Authenticate of every refusal on the FHIR hosts. */

import type { OperationOutcomeIssue } from 'fhir/r4.js';
import { jobLimits } from '../payer/job-kinds.ts';
import { directoryTypes } from './directory-types.ts';
import { searchBounds } from './fhir-resources.ts';

/**
 * Every refusal of the FHIR functions: the OperationOutcome it becomes (`lambdas/http/operation-outcome.ts`), and what an
 * application's developer can do about it (the public list of errors).
 */
interface Wording {
  readonly status: number;
  /** IssueType (http://hl7.org/fhir/issue-type). */
  readonly code: OperationOutcomeIssue['code'];
  readonly diagnostics: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Advice to the developer; not part of the answer. */
  readonly fix: string;
}

/** RFC 6750 section 3.1 names the errors of a bearer token. */
export const fhirRefusals = {
  'not-found': {
    status: 404,
    code: 'not-found',
    diagnostics: 'The resource was not found.',
    fix: 'Use the ID in `patient` of the token response, or an ID from a search. The ID of another member gets the same response as one that does not exist.',
  },
  'unknown-path': {
    status: 404,
    code: 'not-supported',
    diagnostics: 'The path was not found.',
    fix: 'Compare the path with the list of endpoints. Paths are case-sensitive.',
  },
  'method-not-allowed': {
    status: 405,
    code: 'not-supported',
    diagnostics: 'This path does not support the method.',
    fix: 'Use a method of the `Allow` header. Without a token, a path that requires one responds with 401, whatever the method.',
  },
  'not-acceptable': {
    status: 406,
    code: 'not-supported',
    diagnostics: 'Resources are sent as application/fhir+json or application/json only.',
    fix: 'Send `Accept: application/fhir+json` or `Accept: application/json`. XML is not offered.',
  },
  'unsupported-media-type': {
    status: 415,
    code: 'not-supported',
    diagnostics:
      'A search by POST takes its parameters as application/x-www-form-urlencoded, an operation as application/fhir+json.',
    fix: 'Send search parameters as a form, operation parameters as a Parameters resource, or either in the URL with GET.',
  },
  'form-malformed': {
    status: 400,
    code: 'invalid',
    diagnostics: 'The body is not valid form encoding.',
    fix: 'Encode names and values as a form, in UTF-8. Encode a percent sign as `%25`.',
  },
  'parameters-malformed': {
    status: 400,
    code: 'structure',
    diagnostics: 'The body is not a Parameters resource whose parameters have a name and a primitive value.',
    fix: 'Send `{"resourceType":"Parameters","parameter":[{"name":"_count","valueInteger":10}]}`, or the parameters in the URL with GET.',
  },
  'form-too-long': {
    status: 413,
    code: 'too-long',
    diagnostics: `The body of a search or an operation is at most ${searchBounds.formBytes} bytes.`,
    fix: 'Send fewer values in one request, such as IDs or codes.',
  },
  'unknown-directory-type': {
    status: 404,
    code: 'not-supported',
    diagnostics: `The Provider Directory has no such path. Its types are ${directoryTypes.join(', ')}; networks are of the type Organization.`,
    fix: 'Read `[base]/[type]/[id]`, or search `[base]/[type]`. Paths are case-sensitive.',
  },
  'publication-gone': {
    status: 410,
    code: 'deleted',
    diagnostics:
      'The publication that this address belongs to is no longer kept. Start again: a search without _cursor, a download from a new manifest.',
    fix: 'Begin again. The current publication and the one before it are kept, so that a search that has begun can be paged to its end.',
  },
  'invalid-search': {
    status: 400,
    code: 'invalid',
    diagnostics: 'The search request is invalid.',
    fix: 'Each issue of the response names a parameter and its expected value. Use a cursor unchanged, with the same application and member.',
  },
  'invalid-token': {
    status: 401,
    code: 'login',
    diagnostics: 'The access token has expired, or its grant has ended.',
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    fix: 'Refresh the token. If that fails with `invalid_grant`, the grant was ended or has expired. Send the member through authorization again.',
  },
  'insufficient-scope': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The access token does not allow this request.',
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
    fix: 'Request a scope that covers the resource, such as `patient/Patient.read`. A client credentials token reads Payer Access only, with a scope such as `system/Patient.rs`.',
  },
  'product-missing': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The application has no subscription to this interface.',
    fix: 'Add the product to the application in the portal.',
  },
  'organization-unverified': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The application has no verified organization.',
    fix: 'Ask the operator to verify the identifiers of your organization (NPI, NAIC company code, tax identification number or OID).',
  },
  'member-not-matched': {
    status: 422,
    code: 'processing',
    diagnostics: 'No single member was matched, or the member has ended the permission.',
    fix: 'Compare the request with the matching rules. The response is the same if no member matches, if several match, and if the member has ended your permission. A fault of the request itself is named by other issues.',
  },
  'too-many-matches': {
    status: 429,
    code: 'throttled',
    diagnostics:
      'Too many requests of this application, or for this member, matched no member. Try again later.',
    fix: 'Wait the seconds in `Retry-After`. Requests that match a member do not count.',
  },
  'async-only': {
    status: 400,
    code: 'invalid',
    diagnostics: 'The operation is asynchronous. Send the header Prefer: respond-async.',
    fix: 'Send `Prefer: respond-async`, and poll the address in `Content-Location`.',
  },
  'request-too-long': {
    status: 413,
    code: 'too-long',
    diagnostics: `The body of this operation is at most ${jobLimits.bodyBytes} bytes.`,
    fix: 'Send the members or patients in several requests.',
  },
  'too-many-jobs': {
    status: 429,
    code: 'throttled',
    diagnostics: `The application has ${jobLimits.activeJobs} jobs that have not ended. Try again when one has.`,
    fix: 'Wait for a job to end, or cancel one.',
  },
  'too-many-members': {
    status: 429,
    code: 'throttled',
    diagnostics:
      'The request has more members than may still match no member today. No member of it was judged. Members of a job count until they have matched.',
    fix: 'Wait the seconds in `Retry-After`, or send fewer members.',
  },
  'job-failed': {
    status: 500,
    code: 'exception',
    diagnostics: 'The job failed and has no result.',
    fix: 'Send the request again. If the error persists, report the job’s address.',
  },
  'file-withheld': {
    status: 410,
    code: 'deleted',
    diagnostics: 'A member whose data the file has no longer consents. Request a new export.',
    fix: 'Begin a new export: it leaves out the members whose consent has ended.',
  },
  'key-invalid': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The subscription key is not valid for this application.',
    fix: 'Send the key of the token’s application, from the same environment.',
  },
} as const satisfies Readonly<Record<string, Wording>>;

export type FhirRefusal = keyof typeof fhirRefusals;

/** Failures of the server. */
export const fhirFailures = {
  defect: {
    status: 500,
    code: 'exception',
    diagnostics: 'The service failed to process the request.',
    fix: 'Try again. If the error persists, report the `X-Request-Id` of the response.',
  },
  unavailable: {
    status: 503,
    code: 'transient',
    diagnostics: 'The service is busy. Try again.',
    headers: { 'Retry-After': '1' },
    fix: 'Wait the seconds in `Retry-After`, then try again.',
  },
  'publication-unavailable': {
    status: 503,
    code: 'transient',
    diagnostics: 'The directory can not be read at the moment, or nothing was published yet. Try again.',
    headers: { 'Retry-After': '30' },
    fix: 'Wait the seconds in `Retry-After`, then try again.',
  },
} as const satisfies Readonly<Record<string, Wording>>;
