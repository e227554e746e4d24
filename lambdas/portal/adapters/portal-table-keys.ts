import type { Key } from '../../platform/table/key.ts';

/**
 * Every key of the portal's single table; no other file makes one. IDs are random. A value from outside (an e-mail address, a token) is in
 * a key only as its SHA-256 (hex) or keyed digest, so that keys may be logged.
 */

/** A developer's or operator's account. */
export function accountKey(accountId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' };
}

/** The one live verification code of an account for a purpose (`sign_up_email`, `sign_in`, …). */
export function codeKey(accountId: string, purpose: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: `CODE#${purpose}` };
}

/** The last used time step of an operator's authenticator app. */
export function authenticatorKey(accountId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: 'AUTHENTICATOR' };
}

/** A draft, which is a registration that an account has not finished. */
export function draftKey(accountId: string, draftId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: `DRAFT#${draftId}` };
}

/** The number of an account's drafts. */
export function draftsKey(accountId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: 'DRAFTS' };
}

/** An event of an account; `time` is ISO 8601 with milliseconds. */
export function accountEventKey(accountId: string, time: string, eventId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: `EVENT#${time}#${eventId}` };
}

/** The claim of one account to an e-mail address, by the SHA-256 of its lowercase form. */
export function emailKey(sha256: string): Key {
  return { pk: `EMAIL#${sha256}`, sk: 'EMAIL' };
}

/** The first decoy of an address with a proven owner. */
export function emailShadowKey(sha256: string): Key {
  return { pk: `EMAIL#${sha256}`, sk: 'SHADOW' };
}

/** The newest further decoy of an address: a sign-up with an address that another account has. */
export function emailDecoyKey(sha256: string): Key {
  return { pk: `EMAIL#${sha256}`, sk: 'DECOY' };
}

/** The claim to a user name, in lowercase. */
export function usernameKey(username: string): Key {
  return { pk: `USERNAME#${username.toLowerCase()}`, sk: 'USERNAME' };
}

/** A session, by the SHA-256 of the secret in the browser's cookie. */
export function portalSessionKey(sha256: string): Key {
  return { pk: `SESSION#${sha256}`, sk: 'SESSION' };
}

/** A browser in which a right code of the account was entered, by the SHA-256 of the secret in its cookie. */
export function accountBrowserKey(accountId: string, sha256: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: `BROWSER#${sha256}` };
}

/** A used answer to a bot check, by its SHA-256. */
export function usedBotCheckKey(sha256: string): Key {
  return { pk: `BOT#${sha256}`, sk: 'BOT' };
}

/** A counter of attempts. `period` is the first second of the counted period, or `LOCKOUT`. */
export function portalRateKey(rule: string, sha256: string, period: string): Key {
  return { pk: `RATE#${rule}#${sha256}`, sk: period };
}

export function teamKey(teamId: string): Key {
  return { pk: `TEAM#${teamId}`, sk: 'TEAM' };
}

export function teamMemberKey(teamId: string, accountId: string): Key {
  return { pk: `TEAM#${teamId}`, sk: `MEMBER#${accountId}` };
}

export function teamInvitationKey(teamId: string, invitationId: string): Key {
  return { pk: `TEAM#${teamId}`, sk: `INVITATION#${invitationId}` };
}

/** An invitation, by the SHA-256 of the token in its mail. */
export function invitationKey(sha256: string): Key {
  return { pk: `INVITATION#${sha256}`, sk: 'INVITATION' };
}

/** An application in its team's partition, so that one query lists a team's applications. */
export function teamApplicationKey(teamId: string, applicationId: string): Key {
  return { pk: `TEAM#${teamId}`, sk: `APPLICATION#${applicationId}` };
}

export function portalApplicationKey(applicationId: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: 'APPLICATION' };
}

/** The ID of an application's client in an environment; written once. */
export function applicationClientKey(applicationId: string, environment: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: `CLIENT#${environment}` };
}

/** The application of a client, by the client's ID; written together with `applicationClientKey`. */
export function clientApplicationKey(environment: string, clientId: string): Key {
  return { pk: `CLIENT#${environment}#${clientId}`, sk: 'APPLICATION' };
}

/** The evidence of an application for a product: its first successful sandbox call; written once. */
export function applicationEvidenceKey(applicationId: string, product: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: `EVIDENCE#${product}` };
}

/** An event of an application's timeline, written with its change and never changed. */
export function applicationEventKey(applicationId: string, time: string, eventId: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: `EVENT#${time}#${eventId}` };
}

/**
 * An act that an environment has not confirmed yet: written and removed together with the outbox entry that carries it out. `entryId`
 * begins with the time of the act, so that the oldest comes first.
 */
export function applicationPendingKey(applicationId: string, entryId: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: `PENDING#${entryId}` };
}

/** An entry of the operators' queue; `since` is ISO 8601, so that the oldest comes first. */
export function queueKey(kind: 'application' | 'change' | 'account', since: string, id: string): Key {
  return { pk: 'QUEUE', sk: `${since}#${kind}#${id}` };
}

/** An act of an operator, kept by operator; written with the act and never changed. `time` is ISO 8601. */
export function operatorActKey(operatorId: string, time: string, eventId: string): Key {
  return { pk: `OPERATOR#${operatorId}`, sk: `ACT#${time}#${eventId}` };
}

/** An item of the operators' lists by state, `APPLICATION` or `ACCOUNT`; written with each change of state. */
export function stateListKey(kind: 'APPLICATION' | 'ACCOUNT', state: string, id: string): Key {
  return { pk: `STATE#${kind}#${state}`, sk: id };
}

/** An entry of the outbox: an effect in another system (an environment, a mail), written in the transaction of its decision. */
export function outboxKey(time: string, id: string): Key {
  return { pk: 'OUTBOX', sk: `${time}#${id}` };
}

/** The sandbox's test members of a LOB, as operators publish them. */
export function testMembersKey(lob: string): Key {
  return { pk: 'TESTMEMBERS', sk: lob };
}

/** The newest measurement of the status. */
export function newestMeasurementKey(): Key {
  return { pk: 'STATUS#NEWEST', sk: 'STATUS' };
}

/** The checks of the status on a day (`2026-11-27`). */
export function measuredDayKey(date: string): Key {
  return { pk: 'STATUS#DAYS', sk: date };
}

/** An incident; its ID begins with the day it was opened, so that the oldest comes first. */
export function incidentKey(id: string): Key {
  return { pk: 'STATUS#INCIDENTS', sk: id };
}
