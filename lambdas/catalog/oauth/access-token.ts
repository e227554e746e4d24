/** Shapes of the claims of access tokens: of members, and machine to machine. */

import * as s from '../../platform/kernel/shapes.ts';
import { environments } from '../environments.ts';
import { fhirId } from '../fhir/fhir-id.ts';

/** Longest lifetime of an access token that a configuration may set. A token with a longer one was not issued by this service. */
export const longestAccessTokenSeconds = 3_600;

/** Refuses half a surrogate pair: no store and no header accepts it. */
const text = s.where(s.text, (value) => value.isWellFormed());

/** A name that fits into a table key and an audit event. */
const name = s.where(text, ({ length }) => length >= 1 && length <= 255);

/**
 * Claims of an access token (RFC 9068, `typ: at+jwt`, RS256), as issued by the authorization server and as the LOB's
 * authorizer reads them. No claim is PHI: `patient` is an opaque id.
 *
 * - `iss`: `memberIssuer(…)` or `machineIssuer(…)`.
 * - `aud`: the LOB's Patient Access base for a member's token; the environment resource id for a machine's.
 * - `sub`: the grant's subject (Cognito `sub`), or the client id for a machine's token.
 * - `exp`, `iat`: seconds since 1970. `nbf` stands in no token of ours, and is heeded all the same.
 */
const common = {
  iss: text,
  aud: text,
  sub: name,
  client_id: name,
  jti: name,
  scope: text,
  iat: s.integer,
  exp: s.integer,
  nbf: s.maybe(s.integer),
  environment: s.oneOf(environments),
};

/** A token a member consented to. */
export const memberAccessToken = s.object({
  ...common,
  lob: text,
  patient: s.matching(fhirId),
  /** Id of the grant, among the patient's grants; its state is read with every resource. */
  grant: name,
});

/** A client-credentials token: the client is the resource owner (docs/service.md S6.6). */
export const machineAccessToken = s.object(common);

export type MemberAccessToken = s.Shaped<typeof memberAccessToken>;
export type MachineAccessToken = s.Shaped<typeof machineAccessToken>;
