/**
 * Table of what operators do with other payers, whom this plan asks for members' data: states, acts, the steps of a test, and the reasons why
 * an address is refused or a test fails. The store enforces the states; the command line and the console print the reasons.
 */

export const otherPayerStates = ['proposed', 'active', 'suspended'] as const;
export type OtherPayerState = (typeof otherPayerStates)[number];

/** An operator's acts, with the states they start from. A payer that was removed is not kept. */
export const otherPayerTransitions = {
  activate: { from: ['proposed', 'suspended'], to: 'active' },
  suspend: { from: ['active'], to: 'suspended' },
  remove: { from: ['proposed', 'suspended'], to: 'removed' },
} as const satisfies Readonly<
  Record<string, { from: readonly OtherPayerState[]; to: OtherPayerState | 'removed' }>
>;

/** Origins of a payer's entry in the table. */
export const otherPayerSources = ['operator', 'discovered', 'imported'] as const;
export type OtherPayerSource = (typeof otherPayerSources)[number];

/** Versions of PDex whose answers are read. */
export const pdexVersions = ['2.1', '2.2'] as const;
export type PdexVersion = (typeof pdexVersions)[number];

/** Steps of a test, in their order. A failed step ends the test. */
export const payerCheckSteps = ['smart-configuration', 'token', 'metadata'] as const;
export type PayerCheckStep = (typeof payerCheckSteps)[number];

export const otherPayerLimits = {
  /** Results of tests that are kept of a payer, newest first. */
  checks: 20,
  /** Failed tests in a row at which an alarm rings. */
  failuresForAlarm: 3,
  /** Hours after which the sweep tests an active payer again. */
  hoursBetweenChecks: 24,
  /** Milliseconds for one answer of another payer, from the name's resolution to the last byte. */
  answerMs: 10_000,
  /** Maximum bytes of one document. A CapabilityStatement of a large server has half of it. */
  documentBytes: 1_048_576,
  /** Maximum nesting levels of a document; a CapabilityStatement has ten. */
  levels: 32,
  redirects: 3,
  /** Maximum payers that one document is read for. */
  payersInDocument: 50,
  /** Maximum payers in one import request. */
  payersInImport: 200,
} as const;

/** Reasons why an address or a document of another payer is refused, and why a test fails, each as a sentence for operators. */
export const payerFaults = {
  'not-https': 'The address must begin with https:// and have no port, user name, query or fragment.',
  'not-public': 'The name leads to no address, or to one that is not on the public internet.',
  'own-host': 'The address is a host of this service.',
  unreachable:
    'There was no connection: the name is unknown, the port is closed, or the certificate is not valid.',
  'too-slow': `There was no complete answer within ${otherPayerLimits.answerMs / 1000} seconds.`,
  'too-large': `The answer has more than ${otherPayerLimits.documentBytes / 1_048_576} MB.`,
  'too-many-redirects': `The address redirects more than ${otherPayerLimits.redirects} times.`,
  'wrong-status': 'The answer has another status than 200.',
  'not-json': 'The answer is not JSON.',
  'too-deep': `The answer is nested more than ${otherPayerLimits.levels} levels deep, or has a name twice in one object.`,
  'no-configuration':
    'There is neither /.well-known/davinci-configuration nor /.well-known/payer-index, and the address is not a FHIR base.',
  'wrong-configuration': 'The document does not have the elements that its specification requires.',
  'no-payer-endpoint': 'The document names no endpoint for other payers (davinci_pdex_payer_endpoint).',
  'too-many-payers': `The document has more than ${otherPayerLimits.payersInDocument} plans.`,
  'two-payers': 'The base and the identifiers belong to different payers in the table.',
  'other-identifier': 'The document is about another payer than the requested one.',
  'version-unknown': `Neither the document nor the CapabilityStatement names a supported version of PDex (${pdexVersions.join(', ')}).`,
  'not-r4': 'The server is not a FHIR R4 server: there is no CapabilityStatement with fhirVersion 4.0.',
  'no-member-match':
    'The CapabilityStatement has no operation bulk-member-match, by which members are matched.',
  'no-token-endpoint': 'The SMART configuration names no token endpoint.',
  'no-private-key-jwt':
    'The token endpoint does not accept private_key_jwt with the grant type client_credentials.',
  'other-token-endpoint':
    'The SMART configuration names another token endpoint than the one that an operator reviewed.',
  'token-refused': 'The token endpoint refused the request.',
  'wrong-token': 'The token endpoint answered without a bearer token.',
} as const satisfies Readonly<Record<string, string>>;
export type PayerFaultCode = keyof typeof payerFaults;

/** A reason with the address it is about, and a code of the answer such as `403` or `invalid_client`. */
export interface PayerFault {
  readonly code: PayerFaultCode;
  readonly address?: string | undefined;
  readonly detail?: string | undefined;
}

/** `The answer has another status than 200. (404, https://…)` */
export function payerFaultWords({ code, address, detail }: PayerFault): string {
  const about = [detail, address].filter((each) => each !== undefined).join(', ');
  return about === '' ? payerFaults[code] : `${payerFaults[code]} (${about})`;
}
