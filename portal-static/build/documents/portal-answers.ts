import type * as z from 'zod';
import type { PortalRouteName, portalRoutes } from '../../../lambdas/catalog/portal-routes.ts';
import type { AnswerOf, RouteKey } from '../../api/routes.ts';
import * as views from './portal-views.ts';

type Routes = typeof portalRoutes;
type AnswerAt<Key> = Key extends RouteKey ? AnswerOf<Key> : never;
type Answer<Name extends PortalRouteName> = AnswerAt<`${Routes[Name]['method']} ${Routes[Name]['path']}`>;

/** What the portal's API answers with; the type is the one the browser's client reads. A route that isn't here has nothing to tell. */
export const portalAnswers: { readonly [Name in PortalRouteName]?: z.ZodType<Answer<Name>> } = {
  botCheck: views.botCheck,
  signUp: views.account,
  account: views.account,
  updateAccount: views.account,
  signIn: views.signIn,
  signInCode: views.signIn,
  team: views.team,
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
  usage: views.usage,
  drafts: views.draftList,
  saveDraft: views.draft,
  testMembers: views.testMembers,
  addresses: views.addresses,
  status: views.status,
  queue: views.queue,
  operatorApplications: views.applicationList,
  operatorApplication: views.operatorApplication,
  decideApplication: views.operatorApplication,
  operatorAccounts: views.accountList,
  operatorAccount: views.operatorAccount,
  decideAccount: views.operatorAccount,
};
