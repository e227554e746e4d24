/** Keys (`pk`, `sk`) of every item of an environment's table. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { SigningKeyOwner, TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { Key } from './key.ts';

/**
 * Every key of the environment's single table. No other file writes one.
 *
 * A partition key begins with the LOB it belongs to, because the roles of a LOB's functions are limited by
 * `dynamodb:LeadingKeys` to `<LOB>#*` (read and write) and `AUDIT#<LOB>#*` (put only): a fault in one LOB's code can't
 * reach another LOB's member. `M2M` stands in a LOB's place for what serves the machine-to-machine token host, `MEMBERS` for what is
 * counted of members in all LOBs.
 */
/** A registered application: its configuration, state and live secrets. Written by provisioning only. */
export function clientKey(clientId: string): Key {
  return { pk: `CLIENT#${clientId}`, sk: 'CLIENT' };
}

/** Lookup of a subscription key by its SHA-256 (hex): one item for each LOB of the application, and one for `M2M`. */
export function subscriptionKeyKey(issuer: TokenIssuer, sha256: string): Key {
  return { pk: `${issuer}#KEY#${sha256}`, sk: 'KEY' };
}

/** An application's access in a LOB, by client ID: for calls admitted by a token alone. */
export function applicationKey(lob: LineOfBusiness, clientId: string): Key {
  return { pk: `${lob}#APPLICATION#${clientId}`, sk: 'APPLICATION' };
}

/** A provisioning request already carried out, so that a repeat returns the same answer. */
export function provisioningRequestKey(requestId: string): Key {
  return { pk: `REQUEST#${requestId}`, sk: 'REQUEST' };
}

/** A sign-in and consent in progress. The id is the SHA-256 (hex) of what the browser holds. */
export function interactionKey(lob: LineOfBusiness, interactionId: string): Key {
  return { pk: `${lob}#INTERACTION#${interactionId}`, sk: 'INTERACTION' };
}

/** The activation of an account in an interaction. */
export function activationKey(lob: LineOfBusiness, interactionId: string): Key {
  return { pk: `${lob}#INTERACTION#${interactionId}`, sk: 'ACTIVATION' };
}

/** Key of the count of links added to the account of a user name, in all LOBs together. */
export function accountLinksKey(username: string): Key {
  return { pk: `MEMBERS#ACCOUNT#${username}`, sk: 'LINKS' };
}

/** Count of the acts that ended the sessions of an account, in all LOBs together. */
export function accountSessionsKey(sub: string): Key {
  return { pk: `MEMBERS#SESSIONS#${sub}`, sk: 'EPOCH' };
}

/** Partition of the accounts that are disabled in the user pool, in all LOBs together. */
export const disabledAccountPartition = 'MEMBERS#DISABLED';

/** A disabled account, by its subject: a refresh reads one of them, a sweep all. */
export function disabledAccountKey(sub: string): Key {
  return { pk: disabledAccountPartition, sk: sub };
}

/** An authorization code, by its SHA-256 (hex): the table never holds a code that could be redeemed. */
export function authorizationCodeKey(lob: LineOfBusiness, sha256: string): Key {
  return { pk: `${lob}#CODE#${sha256}`, sk: 'CODE' };
}

/** A refresh token family, by its id. */
export function refreshFamilyKey(lob: LineOfBusiness, familyId: string): Key {
  return { pk: `${lob}#REFRESH#${familyId}`, sk: 'FAMILY' };
}

/** A client assertion that was used (RFC 7523), by the SHA-256 (hex) of client and `jti`. */
export function usedAssertionKey(issuer: TokenIssuer, sha256: string): Key {
  return { pk: `${issuer}#ASSERTION#${sha256}`, sk: 'ASSERTION' };
}

/**
 * The last use of a client secret at an issuer, by the secret's SHA-256 (hex), which the client's item holds as well. It
 * stays as long as the table: one small item for each secret that was ever used there.
 */
export function secretUseKey(issuer: TokenIssuer, sha256: string): Key {
  return { pk: `${issuer}#SECRET#${sha256}`, sk: 'LAST-USED' };
}

/** The patient of a member (Cognito `sub`) in a LOB. */
export function memberKey(lob: LineOfBusiness, sub: string): Key {
  return { pk: `${lob}#MEMBER#${sub}`, sk: 'MEMBER' };
}

/** Key of an account holder's identity as a personal representative in a LOB, beside the account's own patient. */
export function representativeAccountKey(lob: LineOfBusiness, sub: string): Key {
  return { pk: `${lob}#MEMBER#${sub}`, sk: 'REPRESENTATIVE' };
}

/** Key of a representation: a person is the personal representative of a patient. */
export function representationKey(lob: LineOfBusiness, representativeId: string, patientId: string): Key {
  return { pk: representativePartition(lob, representativeId), sk: `PATIENT#${patientId}` };
}

/** The partition of a personal representative, by the plan's identifier. */
export function representativePartition(lob: LineOfBusiness, representativeId: string): string {
  return `${lob}#REPRESENTATIVE#${representativeId}`;
}

/** A member at their connected apps. The id is the SHA-256 (hex) of what the browser holds. */
export function memberSessionKey(lob: LineOfBusiness, sessionId: string): Key {
  return { pk: `${lob}#SESSION#${sessionId}`, sk: 'SESSION' };
}

/**
 * An SSO session. The id is the SHA-256 (hex) of what the browser holds; another sort key than the connected
 * apps' session has, so that neither's secret opens the other.
 */
export function ssoSessionKey(lob: LineOfBusiness, ssoSessionId: string): Key {
  return { pk: `${lob}#SESSION#${ssoSessionId}`, sk: 'SIGN-IN' };
}

/** The consent given to an application in an SSO session, with its grant. */
export function ssoSessionConsentKey(lob: LineOfBusiness, ssoSessionId: string, clientId: string): Key {
  return { pk: `${lob}#SESSION#${ssoSessionId}`, sk: `CONSENT#${clientId}` };
}

/** A browser in which a member typed a right code. The id is the SHA-256 (hex) of what it holds. */
export function knownBrowserKey(lob: LineOfBusiness, browserId: string): Key {
  return { pk: `${lob}#BROWSER#${browserId}`, sk: 'BROWSER' };
}

/**
 * A grant: what a member allows an application. A patient's grants lie apart from the patient's resources, so that the functions
 * of the authorization server need no right to a resource; one `BatchGetItem` still reads a grant and a resource.
 */
export function grantKey(lob: LineOfBusiness, patientId: string, grantId: string): Key {
  return { pk: grantPartition(lob, patientId), sk: grantId };
}

/** The partition of a patient's grants. */
export function grantPartition(lob: LineOfBusiness, patientId: string): string {
  return `${lob}#GRANT#${patientId}`;
}

/** The last end of each payer's permission by a patient. It lies apart from the grants, under the same rights. */
export function permissionEndsKey(lob: LineOfBusiness, patientId: string): Key {
  return { pk: `${grantPartition(lob, patientId)}#ENDS`, sk: 'PAYERS' };
}

/** Key of the member a patient's compartment belongs to in a LOB: one member, for good. */
export function patientMemberKey(lob: LineOfBusiness, patientId: string): Key {
  return { pk: patientPartition(lob, patientId), sk: 'MEMBER' };
}

/** A FHIR resource in a patient's compartment. */
export function patientResourceKey(
  lob: LineOfBusiness,
  patientId: string,
  resourceType: string,
  id: string,
): Key {
  return { pk: patientPartition(lob, patientId), sk: `RESOURCE#${resourceType}#${id}` };
}

/** The entry of a resource: its search values as they were computed, and what a load compares. */
export function patientEntryKey(
  lob: LineOfBusiness,
  patientId: string,
  resourceType: string,
  id: string,
): Key {
  return { pk: patientPartition(lob, patientId), sk: `${patientEntryPrefix(resourceType)}${id}` };
}

/** Beginning of the sort keys of a patient's entries: of one resource type, or of all. */
export function patientEntryPrefix(resourceType?: string): string {
  return resourceType === undefined ? 'ENTRY#' : `ENTRY#${resourceType}#`;
}

/**
 * A part of the search index of a patient's resources of a type: `INDEX` has what searches compare, `LINKS` the references. A resource
 * is an attribute of the part its id belongs to.
 */
export function patientIndexKey(
  lob: LineOfBusiness,
  patientId: string,
  kind: 'INDEX' | 'LINKS',
  { resourceType, id }: { readonly resourceType: string; readonly id: string },
): Key {
  let hash = 0;
  for (let at = 0; at < id.length; at += 1) hash = (hash * 31 + id.charCodeAt(at)) >>> 0;
  return {
    pk: patientPartition(lob, patientId),
    sk: `${patientIndexPrefix(kind, resourceType)}${hash % indexParts}`,
  };
}

/**
 * Parts of the index of one type. A part is one item, of 400 KB at most: with 8, a patient may have some 18,000 resources of a type. A
 * write costs the units of the part it changes, and a part costs a search its key.
 */
const indexParts = 8;

/** Beginning of the sort keys of a patient's search index: of one resource type, or of all. */
export function patientIndexPrefix(kind: 'INDEX' | 'LINKS', resourceType?: string): string {
  return resourceType === undefined ? `${kind}#` : `${kind}#${resourceType}#`;
}

/** The labels of a patient's resources (docs/decisions/0053-label-resources-when-they-are-loaded.md): an attribute for each that has one. */
export function patientLabelsKey(lob: LineOfBusiness, patientId: string): Key {
  return { pk: patientPartition(lob, patientId), sk: 'LABELS' };
}

/** The public keys an issuer's tokens are verified with (RFC 7517 JWK Set). */
export function jwksKey(issuer: SigningKeyOwner): Key {
  return { pk: `${issuer}#JWKS`, sk: 'JWKS' };
}

/** The one a record is about: exactly one of the three. */
export type AuditSubject =
  | { readonly patientId: string; readonly clientId?: undefined; readonly service?: undefined }
  | { readonly clientId: string; readonly patientId?: undefined; readonly service?: undefined }
  | { readonly service: string; readonly patientId?: undefined; readonly clientId?: undefined };

/**
 * An audit event. Events lie in partitions of their own, which no role may update or delete in. `time` is ISO 8601 with
 * milliseconds, so that a subject's events sort by time.
 */
export function auditKey(issuer: TokenIssuer, subject: AuditSubject, time: string, eventId: string): Key {
  const { patientId, clientId, service } = subject;
  const about =
    patientId !== undefined
      ? `PATIENT#${patientId}`
      : clientId !== undefined
        ? `CLIENT#${clientId}`
        : `SERVICE#${service}`;
  return { pk: `AUDIT#${issuer}#${about}`, sk: `${time}#${eventId}` };
}

/** The index of audit events by the window they are sealed in; its partition keys begin with `WINDOW#<issuer>#`. */
export const sealWindowIndex = { name: 'audit-window', attribute: 'sealWindow' } as const;

/** A seal over an issuer's events; numbers sort as text. */
export function sealKey(issuer: TokenIssuer, sequence: number): Key {
  return { pk: `SEAL#${issuer}`, sk: String(sequence).padStart(12, '0') };
}

/** A part of the list of a shard's events. @param window as `windowPartition` spells it: `WINDOW#DSNP#2026-11-20T10:05#3` */
export function sealedListKey(window: string, part: number): Key {
  return { pk: `SEAL#LIST#${window}`, sk: String(part).padStart(6, '0') };
}

/**
 * A counter of attempts, by the rule that counts and the SHA-256 (hex) of whose they are. `window` is the window's first
 * second, or `LOCKOUT`.
 */
export function rateKey(issuer: TokenIssuer, rule: string, sha256: string, window: string): Key {
  return { pk: `${issuer}#RATE#${rule}#${sha256}`, sk: window };
}

/** A counter of members' attempts in all LOBs together: an account, an address and a mailbox are the same in each. */
export function memberRateKey(rule: string, sha256: string, window: string): Key {
  return { pk: `MEMBERS#RATE#${rule}#${sha256}`, sk: window };
}

/** The partition of a patient's audit events, which `auditKey` writes to. */
export function patientAuditPartition(lob: LineOfBusiness, patientId: string): string {
  return `AUDIT#${lob}#PATIENT#${patientId}`;
}

/** The partition of a patient's resources and their entries. */
export function patientPartition(lob: LineOfBusiness, patientId: string): string {
  return `${lob}#PATIENT#${patientId}`;
}

/** Key of the Patient that a member identifier names in a LOB. */
export function memberIdKey(lob: LineOfBusiness, memberId: string): Key {
  return { pk: `${lob}#MEMBER-ID#${memberId}`, sk: 'PATIENT' };
}

/** Key of a resource's withdrawal: it keeps an older version out. */
export function withdrawalKey(
  lob: LineOfBusiness,
  patientId: string,
  { resourceType, id }: { readonly resourceType: string; readonly id: string },
): Key {
  return { pk: patientPartition(lob, patientId), sk: `WITHDRAWN#${resourceType}#${id}` };
}

/** A resource that members of a LOB share, such as an Organization; each record that refers to it has a copy. */
export function sharedResourceKey(lob: LineOfBusiness, resourceType: string, id: string): Key {
  return { pk: `${lob}#SHARED#${resourceType}#${id}`, sk: 'RESOURCE' };
}

/** A load job. Its files and ranges lie beside it. */
export function loadJobKey(lob: LineOfBusiness, jobId: string): Key {
  return { pk: loadJobPartition(lob, jobId), sk: 'JOB' };
}

export function loadFileKey(lob: LineOfBusiness, jobId: string, file: number): Key {
  return { pk: loadJobPartition(lob, jobId), sk: `FILE#${String(file).padStart(4, '0')}` };
}

export function loadRangeKey(lob: LineOfBusiness, jobId: string, file: number, range: number): Key {
  const sk = `RANGE#${String(file).padStart(4, '0')}#${String(range).padStart(6, '0')}`;
  return { pk: loadJobPartition(lob, jobId), sk };
}

/** The partition of a load job. */
export function loadJobPartition(lob: LineOfBusiness, jobId: string): string {
  return `${lob}#LOAD#${jobId}`;
}

/** The outcome of a load's row that changes a record; each in a partition of its own, because a file may have millions. */
export function loadChangeKey(lob: LineOfBusiness, jobId: string, row: string): Key {
  return { pk: `${loadJobPartition(lob, jobId)}#${row}`, sk: 'OUTCOME' };
}

/** The job that has the LOB's turn to load. */
export function loadTurnKey(lob: LineOfBusiness): Key {
  return { pk: `${lob}#LOAD#`, sk: 'TURN' };
}

/** The jobs of a LOB by time, for lists. */
export function loadListKey(lob: LineOfBusiness, acceptedAt: string, jobId: string): Key {
  return { pk: loadListPartition(lob), sk: `${acceptedAt}#${jobId}` };
}

export function loadListPartition(lob: LineOfBusiness): string {
  return `${lob}#LOADS`;
}

/** The freshness clock of a source. */
export function freshnessKey(lob: LineOfBusiness, source: string): Key {
  return { pk: freshnessPartition(lob), sk: source };
}

export function freshnessPartition(lob: LineOfBusiness): string {
  return `${lob}#FRESHNESS`;
}

/** A resource of a LOB's directory. Types are split over partitions, so that loads and builds aren't bound by one's throughput. */
export function directoryResourceKey(
  lob: LineOfBusiness,
  resourceType: string,
  part: number,
  id: string,
): Key {
  return { pk: directoryPartition(lob, resourceType, part), sk: id };
}

/** Partitions of a type of the directory. A build reads them side by side. */
export const directoryParts = 8;

export function directoryPartition(lob: LineOfBusiness, resourceType: string, part: number): string {
  return `${lob}#DIRECTORY#${resourceType}#${String(part).padStart(2, '0')}`;
}

/** A build of a LOB's directory, by its start. */
export function directoryBuildKey(lob: LineOfBusiness, startedAt: string, buildId: string): Key {
  return { pk: directoryBuildPartition(lob), sk: `${startedAt}#${buildId}` };
}

export function directoryBuildPartition(lob: LineOfBusiness): string {
  return `${lob}#DIRECTORY#BUILDS`;
}

/** An asynchronous job. Its parts lie beside it. */
export function jobKey(lob: LineOfBusiness, jobId: string): Key {
  return { pk: jobPartition(lob, jobId), sk: 'JOB' };
}

/** A part of a job that is done. */
export function jobPartKey(lob: LineOfBusiness, jobId: string, part: number): Key {
  return { pk: jobPartition(lob, jobId), sk: `PART#${String(part).padStart(6, '0')}` };
}

/** The outcome of one member of a part of a bulk match. @param at position in the request, from 0 */
export function jobMemberKey(lob: LineOfBusiness, jobId: string, part: number, at: number): Key {
  return {
    pk: jobPartition(lob, jobId),
    sk: `${jobMembersPrefix(part)}${String(at).padStart(6, '0')}`,
  };
}

export function jobMembersPrefix(part: number): string {
  return `MEMBER#${String(part).padStart(6, '0')}#`;
}

/** The partition of an asynchronous job. */
export function jobPartition(lob: LineOfBusiness, jobId: string): string {
  return `${lob}#JOB#${jobId}`;
}

/** The asynchronous jobs of a LOB by time, for lists. */
export function jobListKey(lob: LineOfBusiness, acceptedAt: string, jobId: string): Key {
  return { pk: jobListPartition(lob), sk: `${acceptedAt}#${jobId}` };
}

export function jobListPartition(lob: LineOfBusiness): string {
  return `${lob}#JOBS`;
}

/** A job that waits or runs, in the line of its LOB. */
export function jobLineKey(lob: LineOfBusiness, acceptedAt: string, jobId: string): Key {
  return { pk: jobLinePartition(lob), sk: `JOB#${acceptedAt}#${jobId}` };
}

/** The last turn of a LOB's line. */
export function jobTurnKey(lob: LineOfBusiness): Key {
  return { pk: jobLinePartition(lob), sk: 'TURN' };
}

export function jobLinePartition(lob: LineOfBusiness): string {
  return `${lob}#JOB-LINE`;
}

/** Number of jobs of an application that have not ended. */
export function jobQuotaKey(lob: LineOfBusiness, clientId: string): Key {
  return { pk: `${lob}#JOB-QUOTA#${clientId}`, sk: 'ACTIVE' };
}

/** A patient that an application matched, as its list has it. The grant decides whether it may still read. */
export function matchedPatientKey(lob: LineOfBusiness, clientId: string, patientId: string): Key {
  return { pk: matchedPatientsPartition(lob, clientId), sk: patientId };
}

/** The partition of the list of patients that an application matched. */
export function matchedPatientsPartition(lob: LineOfBusiness, clientId: string): string {
  return `${lob}#MATCHED#${clientId}`;
}

/** A group of members that an application matched. */
export function payerGroupKey(lob: LineOfBusiness, clientId: string, groupId: string): Key {
  return { pk: payerGroupPartition(lob, clientId), sk: groupId };
}

/** The partition of an application's groups. */
export function payerGroupPartition(lob: LineOfBusiness, clientId: string): string {
  return `${lob}#GROUP#${clientId}`;
}
