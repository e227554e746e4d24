import * as z from 'zod/mini';
import { environments } from './environments.ts';

/**
 * Claims of an access token (RFC 9068, `typ: at+jwt`, RS256), as issued by the authorization server and as the LOB's
 * authorizer reads them. No claim is PHI: `patient` is an opaque id.
 *
 * - `iss`: `memberIssuer(…)` or `machineIssuer(…)`.
 * - `aud`: the LOB's Patient Access base for a member's token; the environment resource id for a machine's.
 * - `sub`: the grant's subject (Cognito `sub`), or the client id for a machine's token.
 * - `exp`, `iat`: seconds since 1970.
 */
const common = {
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  client_id: z.string(),
  jti: z.string(),
  scope: z.string(),
  iat: z.number(),
  exp: z.number(),
  environment: z.enum(environments),
};

/** A token a member consented to. */
export const memberAccessToken = z.object({
  ...common,
  lob: z.string(),
  patient: z.string(),
  /** Id of the grant, among the patient's grants; its state is read with every resource. */
  grant: z.string(),
});

/** A client-credentials token: the client is the resource owner (service description, Authentication, row 4). */
export const machineAccessToken = z.object(common);

export type MemberAccessToken = z.infer<typeof memberAccessToken>;
export type MachineAccessToken = z.infer<typeof machineAccessToken>;
