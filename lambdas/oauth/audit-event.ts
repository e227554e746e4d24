/** Audit events of the authorization server. */

import type { Environment } from '../catalog/environments.ts';
import type { TokenIssuer } from '../catalog/oauth/token-issuer.ts';
import type { RepresentedBy } from './member-account.ts';

/** Actions that the authorization server decides on, and an operator in a member's name. */
export type AuthorizationAuditAction =
  | 'authorization.request'
  | 'member.sign-in'
  | 'account.activate'
  | 'patient.choose'
  | 'sign-in.continue'
  | 'sign-in.end'
  | 'grant.create'
  | 'grant.renew'
  | 'grant.revoke'
  | 'grant.end'
  | 'token.issue'
  | 'token.refresh'
  | 'token.revoke'
  | 'token.introspect'
  | 'userinfo.read';

/** One decision, as it is kept for good (`lambdas/storage/audit/audit-store.ts`): ids and codes, no secret and no data. */
export interface AuthorizationAuditEvent {
  readonly eventId: string;
  /** ISO 8601 with milliseconds. */
  readonly time: string;
  readonly environment: Environment;
  readonly lob: TokenIssuer;
  readonly action: AuthorizationAuditAction;
  /** `permitted`: an answer that changes nothing. `disclosed`: one that says something of a member. */
  readonly outcome: 'succeeded' | 'permitted' | 'disclosed' | 'refused';
  /** A stable code: `redirect_uri_unregistered`. */
  readonly reason?: string;
  /** The client id, or the member's subject; `member` before the sign-in; `operator`. */
  readonly actor: string;
  readonly clientId: string;
  readonly grantId?: string;
  readonly patientId?: string;
  /** The plan's identifier of the personal representative who acts, or consented, on the patient's behalf (FHIR Provenance, `agent.onBehalfOf`). */
  readonly representativeId?: string;
  /** Issuer of the plan's identity provider, where the sign-in is at one. */
  readonly identityProvider?: string;
  readonly requestId: string;
  /** The client's `X-Request-Id`: it joins the event to the client's own log, and proves nothing. */
  readonly clientRequestId?: string;
}

/** Common part of all events of one request. */
export interface AuditContext {
  readonly environment: Environment;
  readonly lob: TokenIssuer;
  readonly requestId: string;
  /** The client's `X-Request-Id`: it joins the event to the client's own log, and proves nothing. */
  readonly clientRequestId?: string;
}

/** The decision of an event. */
export type AuthorizationDecision = Pick<
  AuthorizationAuditEvent,
  'action' | 'outcome' | 'actor' | 'clientId'
> &
  Partial<
    Pick<
      AuthorizationAuditEvent,
      'reason' | 'grantId' | 'patientId' | 'representativeId' | 'identityProvider'
    >
  >;

/** The patient of an event, and the personal representative who acts on the patient's behalf. */
export function aboutPatient({
  patientId,
  representative,
}: {
  readonly patientId: string;
  readonly representative?: RepresentedBy | undefined;
}): Pick<AuthorizationAuditEvent, 'patientId' | 'representativeId'> {
  if (representative === undefined) return { patientId };
  return { patientId, representativeId: representative.representativeId };
}

/** The same of a code or a refresh token, whose actor is the application. */
export function aboutSubject({
  patientId,
  representedBy,
}: {
  readonly patientId: string;
  readonly representedBy?: RepresentedBy | undefined;
}): ReturnType<typeof aboutPatient> {
  return aboutPatient({ patientId, representative: representedBy });
}

export function auditEvent(
  context: AuditContext,
  decision: AuthorizationDecision,
  nowMs: number,
  eventId: string,
): AuthorizationAuditEvent {
  return { ...context, ...decision, eventId, time: new Date(nowMs).toISOString() };
}

/** Records audit events. Adapter: `lambdas/storage/audit/authorization-audit-trail.ts`. */
export interface AuthorizationAuditTrail {
  record(event: AuthorizationAuditEvent): Promise<void>;
}
