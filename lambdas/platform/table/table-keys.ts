/**
 * Keys (`pk`, `sk`) of every item of an environment's table. No other file builds a key.
 *
 * A partition key begins with the LOB it belongs to. By `dynamodb:LeadingKeys`, the roles of a LOB's functions may read and write `<LOB>#*`
 * and put `AUDIT#<LOB>#*` only, so that a fault in one LOB's code can't reach another LOB's members. `M2M` takes the place of the LOB in
 * items of the machine-to-machine token host, and `MEMBERS` in counters of members in all LOBs.
 */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { SigningKeyOwner, TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { Key } from './key.ts';

/** Key of a registered application: its configuration, state and live secrets. Written by provisioning only. */
export function clientKey(clientId: string): Key {
  return { pk: `CLIENT#${clientId}`, sk: 'CLIENT' };
}

/** Key of a subscription key's lookup item, by the key's SHA-256 (hex): one item for each LOB of the application, and one for `M2M`. */
export function subscriptionKeyKey(issuer: TokenIssuer, sha256: string): Key {
  return { pk: `${issuer}#KEY#${sha256}`, sk: 'KEY' };
}

/** Key of an application's lookup item in a LOB, by client ID, for calls without a subscription key. */
export function applicationKey(lob: LineOfBusiness, clientId: string): Key {
  return { pk: `${lob}#APPLICATION#${clientId}`, sk: 'APPLICATION' };
}

/** Key of a completed provisioning request, so that a repeat returns the same answer. */
export function provisioningRequestKey(requestId: string): Key {
  return { pk: `REQUEST#${requestId}`, sk: 'REQUEST' };
}

/** Key of an interaction (a sign-in and consent in progress), by the SHA-256 (hex) of the secret in the browser's cookie. */
export function interactionKey(lob: LineOfBusiness, interactionId: string): Key {
  return { pk: `${lob}#INTERACTION#${interactionId}`, sk: 'INTERACTION' };
}

/** Key of the activation of an account, in its interaction's partition. */
export function activationKey(lob: LineOfBusiness, interactionId: string): Key {
  return { pk: `${lob}#INTERACTION#${interactionId}`, sk: 'ACTIVATION' };
}

/** Key of the number of links added to the account of a user name, in all LOBs together. */
export function accountLinksKey(username: string): Key {
  return { pk: `MEMBERS#ACCOUNT#${username}`, sk: 'LINKS' };
}

/** Key of the session epoch of an account, in all LOBs together. */
export function accountSessionsKey(sub: string): Key {
  return { pk: `MEMBERS#SESSIONS#${sub}`, sk: 'EPOCH' };
}

/** Partition of the accounts that are disabled in the user pool, in all LOBs together. */
export const disabledAccountPartition = 'MEMBERS#DISABLED';

/** Key of a disabled account, by its subject. A refresh reads one of them, a sweep all. */
export function disabledAccountKey(sub: string): Key {
  return { pk: disabledAccountPartition, sk: sub };
}

/** Key of an authorization code, by its SHA-256 (hex), so that nobody who reads the table can redeem it. */
export function authorizationCodeKey(lob: LineOfBusiness, sha256: string): Key {
  return { pk: `${lob}#CODE#${sha256}`, sk: 'CODE' };
}

/** Key of a refresh token family, by its ID. */
export function refreshFamilyKey(lob: LineOfBusiness, familyId: string): Key {
  return { pk: `${lob}#REFRESH#${familyId}`, sk: 'FAMILY' };
}

/** Key of a used client assertion (RFC 7523), by the SHA-256 (hex) of client ID and `jti`. */
export function usedAssertionKey(issuer: TokenIssuer, sha256: string): Key {
  return { pk: `${issuer}#ASSERTION#${sha256}`, sk: 'ASSERTION' };
}

/**
 * Key of the last use of a client secret at an issuer, by the secret's SHA-256 (hex), which the client's item has too. The item is never
 * removed; it is small, and there is one for each secret used at the issuer.
 */
export function secretUseKey(issuer: TokenIssuer, sha256: string): Key {
  return { pk: `${issuer}#SECRET#${sha256}`, sk: 'LAST-USED' };
}

/** Key of the link from an account (Cognito `sub`) to its patient in a LOB. */
export function memberKey(lob: LineOfBusiness, sub: string): Key {
  return { pk: `${lob}#MEMBER#${sub}`, sk: 'MEMBER' };
}

/** Key of the link from an account to its holder as a personal representative in a LOB. */
export function representativeAccountKey(lob: LineOfBusiness, sub: string): Key {
  return { pk: `${lob}#MEMBER#${sub}`, sk: 'REPRESENTATIVE' };
}

/** Key of a representation: that a person is the personal representative of a patient. */
export function representationKey(lob: LineOfBusiness, representativeId: string, patientId: string): Key {
  return { pk: representativePartition(lob, representativeId), sk: `PATIENT#${patientId}` };
}

/** Partition of a personal representative's representations, by the plan's identifier. */
export function representativePartition(lob: LineOfBusiness, representativeId: string): string {
  return `${lob}#REPRESENTATIVE#${representativeId}`;
}

/** Key of a session at the connected apps, by the SHA-256 (hex) of the secret in the browser's cookie. */
export function connectedAppsSessionKey(lob: LineOfBusiness, sessionId: string): Key {
  return { pk: `${lob}#SESSION#${sessionId}`, sk: 'SESSION' };
}

/**
 * Key of an SSO session, by the SHA-256 (hex) of the secret in the browser's cookie. The sort key differs from that of a session at the
 * connected apps, so that the secret of one does not open the other.
 */
export function ssoSessionKey(lob: LineOfBusiness, ssoSessionId: string): Key {
  return { pk: `${lob}#SESSION#${ssoSessionId}`, sk: 'SIGN-IN' };
}

/** Key of the consent given to an application in an SSO session, with its grant. */
export function ssoSessionConsentKey(lob: LineOfBusiness, ssoSessionId: string, clientId: string): Key {
  return { pk: `${lob}#SESSION#${ssoSessionId}`, sk: `CONSENT#${clientId}` };
}

/** Key of a known browser, in which a member has entered a right verification code, by the SHA-256 (hex) of the secret in its cookie. */
export function knownBrowserKey(lob: LineOfBusiness, browserId: string): Key {
  return { pk: `${lob}#BROWSER#${browserId}`, sk: 'BROWSER' };
}

/**
 * Key of a grant: what a member allows an application. Grants are in another partition than the patient's resources, so that the
 * authorization server's functions need no permission for resources. One `BatchGetItem` still reads a grant and a resource.
 */
export function grantKey(lob: LineOfBusiness, patientId: string, grantId: string): Key {
  return { pk: grantPartition(lob, patientId), sk: grantId };
}

/** Partition of a patient's grants. */
export function grantPartition(lob: LineOfBusiness, patientId: string): string {
  return `${lob}#GRANT#${patientId}`;
}

/**
 * Key of the times when a patient's permissions of payers were last ended. It is in another partition than the grants, with the same
 * permissions.
 */
export function permissionEndsKey(lob: LineOfBusiness, patientId: string): Key {
  return { pk: `${grantPartition(lob, patientId)}#ENDS`, sk: 'PAYERS' };
}

/** Key of the member that a patient's compartment belongs to in a LOB: always the same member. */
export function patientMemberKey(lob: LineOfBusiness, patientId: string): Key {
  return { pk: patientPartition(lob, patientId), sk: 'MEMBER' };
}

/** Key of a FHIR resource in a patient's compartment. */
export function patientResourceKey(
  lob: LineOfBusiness,
  patientId: string,
  resourceType: string,
  id: string,
): Key {
  return { pk: patientPartition(lob, patientId), sk: `RESOURCE#${resourceType}#${id}` };
}

/** Key of a resource's entry: its search values, and the values that a load compares. */
export function patientEntryKey(
  lob: LineOfBusiness,
  patientId: string,
  resourceType: string,
  id: string,
): Key {
  return { pk: patientPartition(lob, patientId), sk: `${patientEntryPrefix(resourceType)}${id}` };
}

/** Prefix of the sort keys of a patient's entries, of one resource type or of all. */
export function patientEntryPrefix(resourceType?: string): string {
  return resourceType === undefined ? 'ENTRY#' : `ENTRY#${resourceType}#`;
}

/**
 * Key of one item of the search index of a patient's resources of a type: `INDEX` has the values that searches compare, `LINKS` the
 * references. Each resource is an attribute of the item that its ID is hashed to.
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
    sk: `${patientIndexPrefix(kind, resourceType)}${hash % indexItems}`,
  };
}

/**
 * Number of items in the index of one type. An item has at most 400 KB, so with 8 a patient may have about 18,000 resources of a type. A
 * write consumes the capacity of the item it changes, and a search reads all of them.
 */
const indexItems = 8;

/** Prefix of the sort keys of a patient's search index, of one resource type or of all. */
export function patientIndexPrefix(kind: 'INDEX' | 'LINKS', resourceType?: string): string {
  return resourceType === undefined ? `${kind}#` : `${kind}#${resourceType}#`;
}

/**
 * Key of the labels of a patient's resources (docs/decisions/0053-label-resources-when-they-are-loaded.md). The item has an attribute for
 * each labeled resource.
 */
export function patientLabelsKey(lob: LineOfBusiness, patientId: string): Key {
  return { pk: patientPartition(lob, patientId), sk: 'LABELS' };
}

/** Key of the public keys that verify an issuer's tokens (RFC 7517 JWK Set). */
export function jwksKey(issuer: SigningKeyOwner): Key {
  return { pk: `${issuer}#JWKS`, sk: 'JWKS' };
}

/** The subject of an audit event: a patient, a client or a service. */
export type AuditSubject =
  | { readonly patientId: string; readonly clientId?: undefined; readonly service?: undefined }
  | { readonly clientId: string; readonly patientId?: undefined; readonly service?: undefined }
  | { readonly service: string; readonly patientId?: undefined; readonly clientId?: undefined };

/**
 * Key of an audit event. Events have partitions of their own, in which no role may update or delete. `time` is ISO 8601 with milliseconds,
 * so that a subject's events are sorted by time.
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

/** Index of audit events by the window (five minutes) in which they are sealed. Its partition keys begin with `WINDOW#<issuer>#`. */
export const sealWindowIndex = { name: 'audit-window', attribute: 'sealWindow' } as const;

/** Key of a seal over an issuer's events. Numbers are padded, so that they sort as text. */
export function sealKey(issuer: TokenIssuer, sequence: number): Key {
  return { pk: `SEAL#${issuer}`, sk: String(sequence).padStart(12, '0') };
}

/**
 * Key of one item of the list of a sealed shard's events.
 *
 * @param window as `windowPartition` formats it: `WINDOW#DSNP#2026-11-20T10:05#3`
 */
export function sealedListKey(window: string, part: number): Key {
  return { pk: `SEAL#LIST#${window}`, sk: String(part).padStart(6, '0') };
}

/** Key of the number of an issuer's last seal in the archive. */
export function archivedKey(issuer: TokenIssuer): Key {
  return { pk: `ARCHIVE#${issuer}`, sk: 'SEAL' };
}

/** Key of a counter of attempts, by rule and the SHA-256 (hex) of the subject. `period` is the first second of the counted period, or `LOCKOUT`. */
export function rateKey(issuer: TokenIssuer, rule: string, sha256: string, period: string): Key {
  return { pk: `${issuer}#RATE#${rule}#${sha256}`, sk: period };
}

/** Key of a counter of members' attempts in all LOBs together, since accounts, addresses and mailboxes are the same in all. */
export function memberRateKey(rule: string, sha256: string, period: string): Key {
  return { pk: `MEMBERS#RATE#${rule}#${sha256}`, sk: period };
}

/** Partition of a patient's audit events, as in `auditKey`. */
export function patientAuditPartition(lob: LineOfBusiness, patientId: string): string {
  return `AUDIT#${lob}#PATIENT#${patientId}`;
}

/** Partition of a patient's resources and their entries. */
export function patientPartition(lob: LineOfBusiness, patientId: string): string {
  return `${lob}#PATIENT#${patientId}`;
}

/** Key of the Patient that a member identifier names in a LOB. */
export function memberIdKey(lob: LineOfBusiness, memberId: string): Key {
  return { pk: `${lob}#MEMBER-ID#${memberId}`, sk: 'PATIENT' };
}

/** Key of a resource's withdrawal, which keeps a load from restoring an older version. */
export function withdrawalKey(
  lob: LineOfBusiness,
  patientId: string,
  { resourceType, id }: { readonly resourceType: string; readonly id: string },
): Key {
  return { pk: patientPartition(lob, patientId), sk: `WITHDRAWN#${resourceType}#${id}` };
}

/** Key of a resource that members of a LOB share, such as an Organization. Each record that refers to it has a copy. */
export function sharedResourceKey(lob: LineOfBusiness, resourceType: string, id: string): Key {
  return { pk: `${lob}#SHARED#${resourceType}#${id}`, sk: 'RESOURCE' };
}

/** Key of a load. Its files and ranges are in the same partition. */
export function loadKey(lob: LineOfBusiness, jobId: string): Key {
  return { pk: loadPartition(lob, jobId), sk: 'JOB' };
}

export function loadFileKey(lob: LineOfBusiness, jobId: string, file: number): Key {
  return { pk: loadPartition(lob, jobId), sk: `FILE#${String(file).padStart(4, '0')}` };
}

export function loadRangeKey(lob: LineOfBusiness, jobId: string, file: number, range: number): Key {
  const sk = `RANGE#${String(file).padStart(4, '0')}#${String(range).padStart(6, '0')}`;
  return { pk: loadPartition(lob, jobId), sk };
}

/** Partition of a load. */
export function loadPartition(lob: LineOfBusiness, jobId: string): string {
  return `${lob}#LOAD#${jobId}`;
}

/** Key of the outcome of one row of a load. Each has a partition of its own, because a file may have millions. */
export function loadChangeKey(lob: LineOfBusiness, jobId: string, row: string): Key {
  return { pk: `${loadPartition(lob, jobId)}#${row}`, sk: 'OUTCOME' };
}

/** Key of the LOB's lock on loading, which names the load that may run now. */
export function loadTurnKey(lob: LineOfBusiness): Key {
  return { pk: `${lob}#LOAD#`, sk: 'TURN' };
}

/** Key of a load in the list of its LOB's loads, which is ordered by time. */
export function loadListKey(lob: LineOfBusiness, acceptedAt: string, jobId: string): Key {
  return { pk: loadListPartition(lob), sk: `${acceptedAt}#${jobId}` };
}

export function loadListPartition(lob: LineOfBusiness): string {
  return `${lob}#LOADS`;
}

/** Key of the freshness clock of a source. */
export function freshnessKey(lob: LineOfBusiness, source: string): Key {
  return { pk: freshnessPartition(lob), sk: source };
}

export function freshnessPartition(lob: LineOfBusiness): string {
  return `${lob}#FRESHNESS`;
}

/**
 * Key of a resource in a LOB's directory. Each type is spread over partitions, so that loads and builds are not limited by the throughput
 * of one.
 */
export function directoryResourceKey(
  lob: LineOfBusiness,
  resourceType: string,
  shard: number,
  id: string,
): Key {
  return { pk: directoryPartition(lob, resourceType, shard), sk: id };
}

/** Number of partitions of a type in the directory. A build reads them in parallel. */
export const directoryShards = 8;

export function directoryPartition(lob: LineOfBusiness, resourceType: string, shard: number): string {
  return `${lob}#DIRECTORY#${resourceType}#${String(shard).padStart(2, '0')}`;
}

/** Key of a build of a LOB's Provider Directory publication. Builds are sorted by their start time. */
export function directoryBuildKey(lob: LineOfBusiness, startedAt: string, buildId: string): Key {
  return { pk: directoryBuildPartition(lob), sk: `${startedAt}#${buildId}` };
}

export function directoryBuildPartition(lob: LineOfBusiness): string {
  return `${lob}#DIRECTORY#BUILDS`;
}

/** Key of an asynchronous job. Its parts are in the same partition. */
export function jobKey(lob: LineOfBusiness, jobId: string): Key {
  return { pk: jobPartition(lob, jobId), sk: 'JOB' };
}

/** Key of a completed part of a job. */
export function jobPartKey(lob: LineOfBusiness, jobId: string, part: number): Key {
  return { pk: jobPartition(lob, jobId), sk: `PART#${String(part).padStart(6, '0')}` };
}

/**
 * Key of the outcome of one member in a part of a bulk match.
 *
 * @param at position in the request, from 0
 */
export function jobMemberKey(lob: LineOfBusiness, jobId: string, part: number, at: number): Key {
  return {
    pk: jobPartition(lob, jobId),
    sk: `${jobMembersPrefix(part)}${String(at).padStart(6, '0')}`,
  };
}

export function jobMembersPrefix(part: number): string {
  return `MEMBER#${String(part).padStart(6, '0')}#`;
}

/** Partition of an asynchronous job. */
export function jobPartition(lob: LineOfBusiness, jobId: string): string {
  return `${lob}#JOB#${jobId}`;
}

/** Key of a job in the list of a LOB's asynchronous jobs, which is ordered by time. */
export function jobListKey(lob: LineOfBusiness, acceptedAt: string, jobId: string): Key {
  return { pk: jobListPartition(lob), sk: `${acceptedAt}#${jobId}` };
}

export function jobListPartition(lob: LineOfBusiness): string {
  return `${lob}#JOBS`;
}

/** Key of a waiting or running job in its LOB's queue. */
export function jobLineKey(lob: LineOfBusiness, acceptedAt: string, jobId: string): Key {
  return { pk: jobLinePartition(lob), sk: `JOB#${acceptedAt}#${jobId}` };
}

/** Key of the last turns in a LOB's queue. */
export function jobTurnKey(lob: LineOfBusiness): Key {
  return { pk: jobLinePartition(lob), sk: 'TURN' };
}

export function jobLinePartition(lob: LineOfBusiness): string {
  return `${lob}#JOB-LINE`;
}

/** Key of the number of jobs of an application that have not ended. */
export function jobQuotaKey(lob: LineOfBusiness, clientId: string): Key {
  return { pk: `${lob}#JOB-QUOTA#${clientId}`, sk: 'ACTIVE' };
}

/**
 * Key of a patient in the list of those that an application matched. The grant decides whether the application may still read the patient.
 */
export function matchedPatientKey(lob: LineOfBusiness, clientId: string, patientId: string): Key {
  return { pk: matchedPatientsPartition(lob, clientId), sk: patientId };
}

/** Partition of the patients that an application matched. */
export function matchedPatientsPartition(lob: LineOfBusiness, clientId: string): string {
  return `${lob}#MATCHED#${clientId}`;
}

/** Key of a group of members that an application matched. */
export function payerGroupKey(lob: LineOfBusiness, clientId: string, groupId: string): Key {
  return { pk: payerGroupPartition(lob, clientId), sk: groupId };
}

/** Partition of an application's groups. */
export function payerGroupPartition(lob: LineOfBusiness, clientId: string): string {
  return `${lob}#GROUP#${clientId}`;
}

/** Key of an exchange: one member with one other payer that this plan asks for the member's data. */
export function exchangeKey(lob: LineOfBusiness, patientId: string, exchangeId: string): Key {
  return { pk: exchangePartition(lob, patientId), sk: exchangeId };
}

/** Partition of a member's exchanges. */
export function exchangePartition(lob: LineOfBusiness, patientId: string): string {
  return `${lob}#EXCHANGE#${patientId}`;
}

/** Key of an exchange in the list of its LOB's exchanges that have something to do, ordered by the time of it. */
export function exchangeDueKey(
  lob: LineOfBusiness,
  nextAt: string,
  { patientId, exchangeId }: { readonly patientId: string; readonly exchangeId: string },
): Key {
  return { pk: exchangeDuePartition(lob), sk: `${nextAt}#${patientId}#${exchangeId}` };
}

/**
 * Key of the entry that another payer was asked about a member, in the partition of what is due, after every due date: letters sort after
 * digits.
 *
 * @param asked the time, and the exchange
 */
export function exchangeAskedKey(lob: LineOfBusiness, asked: string): Key {
  return { pk: exchangeDuePartition(lob), sk: `ASKED#${asked}` };
}

export function exchangeDuePartition(lob: LineOfBusiness): string {
  return `${lob}#EXCHANGE-DUE`;
}

/** Key of a run, which asks one other payer about many members. */
export function exchangeRunKey(lob: LineOfBusiness, runId: string): Key {
  return { pk: `${lob}#EXCHANGE-RUN#${runId}`, sk: 'RUN' };
}

/** Key of a run in the list of its LOB's runs, which is ordered by time. */
export function exchangeRunListKey(lob: LineOfBusiness, startedAt: string, runId: string): Key {
  return { pk: exchangeRunListPartition(lob), sk: `${startedAt}#${runId}` };
}

export function exchangeRunListPartition(lob: LineOfBusiness): string {
  return `${lob}#EXCHANGE-RUNS`;
}

/** Key of an LOB's lock on asking another payer, which names the run that may ask it now. */
export function exchangeTurnKey(lob: LineOfBusiness, payerId: string): Key {
  return { pk: exchangeRunListPartition(lob), sk: `TURN#${payerId}` };
}

/** Key of another payer that this plan may ask, in all LOBs together. */
export function otherPayerKey(payerId: string): Key {
  return { pk: otherPayerPartition, sk: payerId };
}

/** Key of the item that counts the changes of other payers. No payer's ID is in capitals. */
export const otherPayerListKey: Key = { pk: 'OTHER-PAYERS', sk: 'LIST' };

export const otherPayerPartition = otherPayerListKey.pk;
