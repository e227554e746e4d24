/** Advice to an application's developer for each refusal and failure of the FHIR hosts, for the public list of errors. */

import type { FhirFailure, FhirRefusal } from './fhir-refusals.ts';

export const fhirFixes: Readonly<Record<FhirRefusal | FhirFailure, string>> = {
  'not-found':
    'Use the ID in `patient` of the token response, or an ID from a search. The ID of another member gets the same response as one that does not exist.',
  'unknown-path': 'Compare the path with the list of endpoints. Paths are case-sensitive.',
  'method-not-allowed':
    'Use a method of the `Allow` header. Without a token, a path that requires one responds with 401, whatever the method.',
  'not-acceptable': 'Send `Accept: application/fhir+json` or `Accept: application/json`. XML is not offered.',
  'unsupported-media-type':
    'Send search parameters as a form, operation parameters as a Parameters resource, or either in the URL with GET.',
  'form-malformed': 'Encode names and values as a form, in UTF-8. Encode a percent sign as `%25`.',
  'parameters-malformed':
    'Send `{"resourceType":"Parameters","parameter":[{"name":"_count","valueInteger":10}]}`, or the parameters in the URL with GET.',
  'form-too-long': 'Send fewer values, such as IDs or codes, in each request.',
  'unknown-directory-type': 'Read `[base]/[type]/[id]`, or search `[base]/[type]`. Paths are case-sensitive.',
  'publication-gone':
    'Begin again. The current publication and the one before it are kept, so that a search that has begun can be paged to its end.',
  'invalid-search':
    'Each issue of the response names a parameter and its expected value. Use a cursor unchanged, with the same application and member.',
  'invalid-token':
    'Refresh the token. If that fails with `invalid_grant`, the grant was ended or has expired. Send the member through authorization again.',
  'insufficient-scope':
    'Request a scope that covers the resource, such as `patient/Patient.read`. A client credentials token reads Payer Access only, with a scope such as `system/Patient.rs`.',
  'product-missing': 'Add the product to the application in the portal.',
  'organization-unverified':
    'Ask the operator to verify the identifiers of your organization (NPI, NAIC company code, tax identification number or OID).',
  'member-not-matched':
    'Compare the request with the matching rules. The response is the same if no member matches, if several match, and if the member has ended your permission. A fault of the request itself is named by other issues.',
  'too-many-matches': 'Wait the seconds in `Retry-After`. Requests that match a member do not count.',
  'async-only': 'Send `Prefer: respond-async`, and poll the address in `Content-Location`.',
  'request-too-long': 'Send the members or patients in several requests.',
  'too-many-jobs': 'Wait for a job to end, or cancel one.',
  'too-many-members': 'Wait the seconds in `Retry-After`, or send fewer members.',
  'job-failed': 'Send the request again. If the error persists, report the job’s address.',
  'file-withheld': 'Begin a new export: it leaves out the members whose consent has ended.',
  'key-invalid': 'Send the key of the token’s application, from the same environment.',
  defect: 'Try again. If the error persists, report the `X-Request-Id` of the response.',
  unavailable: 'Wait the seconds in `Retry-After`, then try again.',
  'publication-unavailable': 'Wait the seconds in `Retry-After`, then try again.',
};
