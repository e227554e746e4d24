/** Response schemas of the portal's API by route, for its OpenAPI document. */

import type * as z from 'zod';
import type { PortalRouteName, portalRoutes } from '../../../lambdas/portal/catalog/portal-routes.ts';
import type { AnswerOf, RouteKey } from '../../api/route-types.ts';
import * as views from './portal-views.ts';

type Routes = typeof portalRoutes;
type AnswerAt<Key> = Key extends RouteKey ? AnswerOf<Key> : never;
type Answer<Name extends PortalRouteName> = AnswerAt<`${Routes[Name]['method']} ${Routes[Name]['path']}`>;

/**
 * Response schema of each route of the portal's API, of the type that the browser's client reads. A route that is not listed has no
 * response body.
 */
export const portalAnswers: { readonly [Name in PortalRouteName]?: z.ZodType<Answer<Name>> } = {
  botCheck: views.botCheck,
  signUp: views.account,
  account: views.account,
  updateAccount: views.account,
  verifyEmail: views.account,
  verifyPhone: views.account,
  resendEmailCode: views.account,
  resendPhoneCode: views.account,
  acceptTerms: views.account,
  changeEmail: views.codeSent,
  changePhone: views.codeSent,
  confirmEmail: views.account,
  confirmPhone: views.account,
  changePassword: views.account,
  beginAuthenticator: views.authenticator,
  confirmAuthenticator: views.account,
  requestPasswordReset: views.codeSent,
  signIn: views.signInSchema,
  signInCode: views.signInSchema,
  resendSignInCode: views.signInSchema,
  team: views.team,
  invite: views.invitation,
  acceptInvitation: views.team,
  showInvitation: views.shownInvitation,
  changeTeamRole: views.team,
  applications: views.applicationList,
  registerApplication: views.application,
  application: views.application,
  updateSandbox: views.application,
  promote: views.application,
  updateProduction: views.application,
  preflight: views.preflightChecks,
  submit: views.application,
  recall: views.application,
  appeal: views.application,
  withdraw: views.application,
  proposeChange: views.application,
  submitChange: views.application,
  discardChange: views.application,
  attest: views.application,
  credentials: views.credentials,
  rotateSecret: views.rotation,
  rotateKey: views.rotation,
  calls: views.calls,
  usage: views.usageSchema,
  drafts: views.draftList,
  saveDraft: views.draftSchema,
  testMembers: views.testMemberSchemas,
  addresses: views.addresses,
  status: views.statusSchema,
  queue: views.queue,
  ownActs: views.operatorActs,
  operatorApplications: views.applicationList,
  operatorApplication: views.operatorApplication,
  decideApplication: views.operatorApplication,
  verifiedOrganization: views.verifiedOrganization,
  verifyOrganization: views.verifiedOrganization,
  operatorAccounts: views.accountList,
  operatorAccount: views.operatorAccount,
  decideAccount: views.operatorAccount,
  resetAuthenticator: views.operatorAccount,
  operatorJobs: views.jobList,
  operatorJob: views.jobDetail,
  cancelJob: views.jobDetail,
  directoriesToFix: views.directoriesToFix,
  directoryFindings: views.findingsFile,
};
