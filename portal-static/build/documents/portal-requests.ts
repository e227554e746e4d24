/** OpenAPI request bodies of the portal API. */

import * as z from 'zod';
import * as accounts from '../../../lambdas/portal/api/accounts.ts';
import * as requests from '../../../lambdas/portal/api/application-requests.ts';

import { newPassword, passwordConfirmation, webAddress } from '../../../lambdas/portal/api/fields.ts';
import * as operations from '../../../lambdas/portal/api/operations.ts';
import { statedIdentifiers, statedNpi } from '../../../lambdas/portal/api/stated-identifiers.ts';
import type { PortalRouteName } from '../../../lambdas/portal/catalog/portal-routes.ts';
import { configuration } from './portal-views.ts';

const { individual, classic, payer, brokerage } = accounts.signUpSchemas;

/** Descriptions of rules that JSON Schema cannot express, by schema. */
const words: readonly (readonly [z.core.$ZodType, string])[] = [
  [
    newPassword,
    'A new password. The length counts code points, as typed and in NFKC. Commonly used passwords are refused (`known_password`). `passwordConfirmation` must be the same.',
  ],
  [passwordConfirmation, 'The new password again: it must be the same as `password`.'],
  [
    webAddress,
    'A URL as browsers write it, without default port, `.` or `..` in its path. `http://` is allowed for localhost only, in the sandbox.',
  ],
  [
    statedNpi,
    'A National Provider Identifier. Its last digit is a check digit of the others (45 CFR 162.406).',
  ],
  [accounts.contact, 'One of two people, each with their own e-mail address at `companyEmailDomain`.'],
];
for (const [schema, description] of words) z.globalRegistry.add(schema, { description });

/**
 * Inserts the configuration's schema into a request's. The functions check the two separately, so that one response reports every rule that
 * a configuration breaks.
 */
const withConfiguration = (schema: z.core.$ZodObject, optional = false) =>
  z.strictObject({
    ...schema._zod.def.shape,
    configuration: optional ? z.exactOptional(configuration) : configuration,
  });

/**
 * The request bodies of the portal's API, by the schemas with which its functions check them. A route that is not listed has no request
 * body.
 */
export const portalRequests: Readonly<Partial<Record<PortalRouteName, z.core.$ZodType>>> = {
  signUp: z.union([individual, payer, brokerage, classic]),
  verifyEmail: accounts.codeRequest,
  verifyPhone: accounts.codeRequest,
  acceptTerms: accounts.termsRequest,
  updateAccount: accounts.updateAccountRequest,
  changeEmail: accounts.changeEmailRequest,
  confirmEmail: accounts.codeRequest,
  changePhone: accounts.changePhoneRequest,
  confirmPhone: accounts.codeRequest,
  changePassword: accounts.changePasswordRequest,
  beginAuthenticator: accounts.passwordRequest,
  confirmAuthenticator: accounts.authenticatorRequest,
  closeAccount: accounts.passwordRequest,
  signIn: accounts.signInRequest,
  signInCode: accounts.codeRequest,
  passwordAgain: accounts.passwordRequest,
  requestPasswordReset: accounts.passwordResetRequest,
  resetPassword: accounts.passwordResetConfirmation,
  invite: accounts.invitationRequest,
  acceptInvitation: accounts.acceptInvitationRequest,
  showInvitation: accounts.acceptInvitationRequest,
  changeTeamRole: accounts.teamRoleRequest,
  registerApplication: withConfiguration(requests.registerRequest),
  updateSandbox: withConfiguration(requests.configurationRequest),
  promote: withConfiguration(requests.promoteRequest, true),
  updateProduction: withConfiguration(requests.configurationRequest),
  submit: requests.versionRequest,
  recall: requests.versionRequest,
  appeal: requests.appealRequest,
  withdraw: requests.versionRequest,
  proposeChange: withConfiguration(requests.configurationRequest),
  submitChange: requests.versionRequest,
  attest: requests.attestationRequest,
  credentials: requests.credentialsRequest,
  rotateSecret: requests.rotationRequest,
  rotateKey: requests.rotationRequest,
  stopSecret: requests.stopRequest,
  stopKey: requests.stopRequest,
  saveDraft: requests.draftRequest,
  verifyOrganization: statedIdentifiers,
  decideApplication: operations.applicationDecision,
  decideAccount: operations.accountDecision,
};
