import type { Key } from '../../platform/table/key.ts';

/**
 * Every key of the portal's single table. No other file writes one. Ids are random; what comes from outside (an e-mail
 * address, a token) stands in a key only as its SHA-256 (hex) or keyed digest, so that keys may be logged.
 */

/** A developer's or operator's account. */
export function accountKey(accountId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' };
}

/** The one live code of an account for a purpose (`sign_up_email`, `sign_in`, …). */
export function codeKey(accountId: string, purpose: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: `CODE#${purpose}` };
}

/** The last time step of an operator's authenticator app that was used. */
export function authenticatorKey(accountId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: 'AUTHENTICATOR' };
}

/** A registration begun by an account. */
export function draftKey(accountId: string, draftId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: `DRAFT#${draftId}` };
}

/** Count of the registrations an account has begun. */
export function draftsKey(accountId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: 'DRAFTS' };
}

/** An event of an account; `time` is ISO 8601 with milliseconds. */
export function accountEventKey(accountId: string, time: string, eventId: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: `EVENT#${time}#${eventId}` };
}

/** The claim to an e-mail address, by the SHA-256 of its lowercase form: one account has it. */
export function emailKey(sha256: string): Key {
  return { pk: `EMAIL#${sha256}`, sk: 'EMAIL' };
}

/** The first decoy of an address. */
export function emailShadowKey(sha256: string): Key {
  return { pk: `EMAIL#${sha256}`, sk: 'SHADOW' };
}

/** The newest sign-up with an address that somebody else, or an earlier sign-up, has. */
export function emailDecoyKey(sha256: string): Key {
  return { pk: `EMAIL#${sha256}`, sk: 'DECOY' };
}

/** The claim to a user name, in lowercase. */
export function usernameKey(username: string): Key {
  return { pk: `USERNAME#${username.toLowerCase()}`, sk: 'USERNAME' };
}

/** A session, by the SHA-256 of what the browser holds. */
export function portalSessionKey(sha256: string): Key {
  return { pk: `SESSION#${sha256}`, sk: 'SESSION' };
}

/** A browser in which a code of this account was right, by the SHA-256 of what it holds. */
export function accountBrowserKey(accountId: string, sha256: string): Key {
  return { pk: `ACCOUNT#${accountId}`, sk: `BROWSER#${sha256}` };
}

/** A bot check that was answered: once. */
export function usedBotCheckKey(sha256: string): Key {
  return { pk: `BOT#${sha256}`, sk: 'BOT' };
}

/** A counter of attempts; `window` is the window's first second, or `LOCKOUT`. */
export function portalRateKey(rule: string, sha256: string, window: string): Key {
  return { pk: `RATE#${rule}#${sha256}`, sk: window };
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

/** An invitation by the SHA-256 of the token the mail carries. */
export function invitationKey(sha256: string): Key {
  return { pk: `INVITATION#${sha256}`, sk: 'INVITATION' };
}

/** A team's application, so that a list needs one query. */
export function teamApplicationKey(teamId: string, applicationId: string): Key {
  return { pk: `TEAM#${teamId}`, sk: `APPLICATION#${applicationId}` };
}

export function portalApplicationKey(applicationId: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: 'APPLICATION' };
}

/** The client an environment gave an application; written once, beside the versions of the application. */
export function applicationClientKey(applicationId: string, environment: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: `CLIENT#${environment}` };
}

/** The application a client was given to, by the client; written with the item above. */
export function clientApplicationKey(environment: string, clientId: string): Key {
  return { pk: `CLIENT#${environment}#${clientId}`, sk: 'APPLICATION' };
}

/** The sandbox call that was seen of a product; written once. */
export function applicationEvidenceKey(applicationId: string, product: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: `EVIDENCE#${product}` };
}

/** An event of the application's timeline, written with its change and never changed. */
export function applicationEventKey(applicationId: string, time: string, eventId: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: `EVENT#${time}#${eventId}` };
}

/**
 * An environment that has not confirmed an act yet: beside the outbox entry that carries it out, written and removed with it.
 * `entryId` begins with the time of the act, so that the oldest comes first.
 */
export function applicationPendingKey(applicationId: string, entryId: string): Key {
  return { pk: `APPLICATION#${applicationId}`, sk: `PENDING#${entryId}` };
}

/** An entry of the operators' queue; `since` is ISO 8601, so that the oldest comes first. */
export function queueKey(kind: 'application' | 'change' | 'account', since: string, id: string): Key {
  return { pk: 'QUEUE', sk: `${since}#${kind}#${id}` };
}

/** Lists by state for operators, `APPLICATION` or `ACCOUNT`; written with each change of state. */
export function stateListKey(kind: 'APPLICATION' | 'ACCOUNT', state: string, id: string): Key {
  return { pk: `STATE#${kind}#${state}`, sk: id };
}

/** An entry of the outbox: an effect in another system (an environment, a mail), written with the decision. */
export function outboxKey(time: string, id: string): Key {
  return { pk: 'OUTBOX', sk: `${time}#${id}` };
}

/** The sandbox's test members, as operators publish them. */
export function testMembersKey(lob: string): Key {
  return { pk: 'TESTMEMBERS', sk: lob };
}
