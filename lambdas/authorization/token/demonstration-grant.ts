/** Grant of the demonstration: a short token for the sandbox's one demonstrated member, whom nobody signs in as. */

import { demonstration } from '../../catalog/oauth/demonstration.ts';
import type { Grant } from '../authorize/interaction.ts';
import { auditEvent } from '../oauth/audit-decision.ts';
import type { GrantType } from './grant-type.ts';
import { accessLifetime, signTokens } from './sign-tokens.ts';
import { refuseForRate, refuseToken } from './token-error.ts';

/**
 * Extension grant of the sandbox (RFC 6749 section 4.5). The member is fictional and named by the client's registration, so there is
 * nobody to ask. Each token has a grant of its own, which ends with it, and its audit event. Signs before it commits.
 */
export const demonstrationGrant: GrantType = {
  type: demonstration.grantType,
  registeredAs: demonstration.grantType,
  parameters: [],
  async handle(services, request) {
    const { lob, client, context } = request;
    const { clientId, demonstratedPatientId: patientId } = client;
    if (patientId === undefined) {
      const description = 'the application is registered for no demonstration';
      return refuseToken('unauthorized_client', description, 'grant_type_not_registered');
    }
    const called = await services.rates.demonstrated();
    if (called.kind === 'limited') return refuseForRate(called.retryAfterSeconds);
    const accessTokenSeconds = Math.min(request.accessTokenSeconds, demonstration.accessTokenSeconds);
    const lifetime = accessLifetime(services, { accessTokenSeconds });
    const { scope } = demonstration;
    const grantId = services.random.uuid();
    const authorized = { clientId, sub: clientId, patientId, grantId, scope };
    const issued = await signTokens(services, request, { ...authorized, authTime: lifetime.iat }, lifetime);
    const createdAt = new Date(services.now()).toISOString();
    const grant: Grant = { ...authorized, createdAt, expiresAt: lifetime.exp };
    const decision = { action: 'token.issue', outcome: 'succeeded', actor: clientId, clientId } as const;
    const about = { ...decision, grantId, patientId };
    const audit = auditEvent(context, about, services.now(), services.random.uuid());
    await services.store.demonstrate({ lob, grant, audit });
    return { kind: 'issued', issued };
  },
};
