import {
  activationTransitions,
  authorizationCodeTransitions,
  familyTransitions,
  grantTransitions,
  interactionTransitions,
  ssoSessionTransitions,
} from '../../lambdas/authorization/store/states-contract.ts';
import { exchangeStates, exchangeTransitions } from '../../lambdas/catalog/payer/exchange-states.ts';
import { jobStates } from '../../lambdas/catalog/payer/job-states.ts';
import { clientStates } from '../../lambdas/clients/provisioning/registration-contract.ts';
import { transitions as clientTransitions } from '../../lambdas/clients/provisioning/transitions.ts';
import { loadStates, loadTransitions } from '../../lambdas/loads/ledger/load.ts';
import { jobTransitions } from '../../lambdas/payer-access/jobs/payer-job.ts';
import {
  accountStateNames,
  accountTransitions,
  type PortalTransition,
} from '../../lambdas/portal/catalog/account-states.ts';
import {
  applicationStateNames,
  applicationTransitions,
  changeStates,
  changeTransitions,
} from '../../lambdas/portal/catalog/application-states.ts';

interface Edge {
  readonly from: readonly string[];
  /** Next state; absent if the act leaves the state unchanged. */
  readonly to?: string;
  readonly by?: string;
  readonly condition?: string;
}

interface Beginning {
  readonly act: string;
  readonly state: string;
}

interface Machine {
  readonly title: string;
  readonly about: string;
  readonly initial: Beginning;
  /** A second act by which the state machine may begin. */
  readonly orInitial?: Beginning;
  readonly states: readonly string[];
  readonly edges: Readonly<Record<string, Edge>>;
}

/** The edges of a state table of the portal, without the one that creates the object. */
function portalEdges(
  table: Readonly<Record<string, PortalTransition<string>>>,
): Readonly<Record<string, Edge>> {
  return Object.fromEntries(Object.entries(table).filter(([, { from }]) => from.length > 0));
}

/** The state machines of the service, from the tables that the stores enforce. */
export const machines: readonly Machine[] = [
  {
    title: 'Interaction',
    about:
      'A sign-in and consent in progress, bound to one browser. Every edge requires that the interaction has not expired. An edge with a code also requires that the interaction is unchanged since it was read, and a right code that it has not expired. `visit` ends a sign-in to the connected apps, which requests no consent. `other-member` ends a sign-in by a member other than the one in the application’s `id_token_hint`. `continue` requires an open SSO session that has not expired, and the `share` after it requires that the session is still open; where the account may act for several patients, it begins with `choosing`. `send-to-provider` begins a sign-in at the plan’s identity provider, and `refuse-provider` ends it. Any edge that follows from a provider’s answer requires that the answer belongs to the latest one begun. `choose-patient` requires that the account that chooses is the one that signed in.',
    initial: { act: 'authorize', state: 'signing-in' },
    orInitial: { act: 'continue', state: 'consenting' },
    states: ['signing-in', 'verifying', 'choosing', 'consenting', 'answered'],
    edges: interactionTransitions,
  },
  {
    title: 'Activation of an account',
    about:
      'Beside an interaction that is `signing-in`. Every edge also requires that the request for the code is the newest: `ask-again` makes the code before it wrong. `match` keeps the digest of a code that is sent, where what was typed is a member’s. `right-code` also requires that the code has not expired and that no try was counted since it was read. `complete` follows the new password.',
    initial: { act: 'details', state: 'asked' },
    states: ['asked', 'proven', 'done'],
    edges: activationTransitions,
  },
  {
    title: 'SSO session',
    about:
      'The authentication that a member keeps in one browser. `use` is the condition for an interaction that begins with `continue` and for a code that begins with `renew`; it also requires that the session has not expired. `end` follows a sign-out, a switch of the account, or the next sign-in in the same browser.',
    initial: { act: 'sign-in, right-code', state: 'open' },
    states: ['open', 'ended'],
    edges: ssoSessionTransitions,
  },
  {
    title: 'Authorization code',
    about:
      '`redeem` also requires that the code has not expired. It is one transaction with the grant’s `redeem`, or with its `renew` if the code began with `renew`. `end` follows a request by another client, or with parameters that the code was not issued for.',
    initial: { act: 'share', state: 'issued' },
    orInitial: { act: 'renew', state: 'issued' },
    states: ['issued', 'redeemed', 'ended'],
    edges: authorizationCodeTransitions,
  },
  {
    title: 'Grant',
    about:
      'The access that a member gave an application. Only an `active` grant that has not expired gives access to data. `renew` is the condition for another code of the same grant, when the code is issued and when it is redeemed. It does not extend the grant.',
    initial: { act: 'share', state: 'pending' },
    states: ['pending', 'active', 'revoked'],
    edges: grantTransitions,
  },
  {
    title: 'Refresh token family',
    about:
      'The refresh tokens of a grant, one of which is live. `rotate` replaces it with its successor. It also requires that the family has not expired and the grant is active.',
    initial: { act: 'redeem', state: 'active' },
    states: ['active', 'revoked'],
    edges: familyTransitions,
  },
  {
    title: 'Client',
    about:
      'An application’s registration in one environment. Any other act is refused with `state_conflict`.',
    initial: { act: 'register', state: 'active' },
    states: clientStates,
    edges: clientTransitions,
  },
  {
    title: 'Developer account',
    about:
      'A developer’s account in the portal. `lambdas/portal/catalog/account-states.ts` describes the states.',
    initial: { act: 'sign_up', state: accountTransitions.sign_up.to },
    states: accountStateNames,
    edges: portalEdges(accountTransitions),
  },
  {
    title: 'Application',
    about:
      'An application in the portal. Its clients in the environments follow it; the production client is suspended until the first approval.',
    initial: { act: 'register', state: applicationTransitions.register.to },
    states: applicationStateNames,
    edges: portalEdges(applicationTransitions),
  },
  {
    title: 'Change to an approved application',
    about:
      'Part of an `approved` application. The approved configuration keeps running until the change is approved.',
    initial: { act: 'approve', state: 'none' },
    states: Object.keys(changeStates),
    edges: portalEdges(changeTransitions),
  },
  {
    title: 'Load',
    about:
      'The load of one drop ([drops](drops.md)). `accept` is the arrival of a manifest; each manifest has one load. The state machine of loads starts it, and ends it by its counts. `fail` also follows an execution that failed; `cancel` and `retry` are an operator’s. A retry continues the load: what is recorded as loaded is not loaded again.',
    initial: { act: 'accept', state: 'accepted' },
    states: loadStates,
    edges: loadTransitions,
  },
  {
    title: 'Asynchronous job',
    about:
      'A bulk request of another payer. `start`, `complete`, `fail` and `expire` are steps of its state machine; `cancel` and `remove` follow a DELETE. `complete`, `fail` and `cancel` free a place in its application’s quota.',
    initial: { act: 'accept', state: 'accepted' },
    states: jobStates,
    edges: jobTransitions,
  },
  {
    title: 'Exchange with another payer',
    about:
      'One member with one other payer, which this plan asks for the member’s data ([decision 73](decisions/0073-ask-other-payers-and-load-the-answer-as-a-drop.md)). `opt-in` is the member’s, or the enrollment system’s for the member; `correct` changes what identifies the member there. `name-payer` follows an operator or the directory of other payers. The acts from `send-match` to `merge` are those of a run; `ask-again` follows a clock, or a run that failed. `revoke` is the member’s, or follows the end of the permission.',
    initial: { act: 'offer', state: 'offered' },
    orInitial: { act: 'opt-in', state: 'opted-in' },
    states: exchangeStates,
    edges: exchangeTransitions,
  },
];

/** Renders docs/states.md. */
export function statesPage(): string {
  const intro = `# States

The state machines of the service. This page is generated from the tables in [lambdas/authorization/store/states-contract.ts](../lambdas/authorization/store/states-contract.ts) and
[lambdas/clients/provisioning/transitions.ts](../lambdas/clients/provisioning/transitions.ts), for loads in [lambdas/loads/ledger/load.ts](../lambdas/loads/ledger/load.ts), for jobs in
[lambdas/payer-access/jobs/payer-job.ts](../lambdas/payer-access/jobs/payer-job.ts), for exchanges with other payers in
[lambdas/catalog/payer/exchange-states.ts](../lambdas/catalog/payer/exchange-states.ts), and for the portal in
[lambdas/portal/catalog/account-states.ts](../lambdas/portal/catalog/account-states.ts) and
[lambdas/portal/catalog/application-states.ts](../lambdas/portal/catalog/application-states.ts). The stores' conditions use the same tables. A test compares
this page with them: after a change of a table, run \`npx vitest run --project unit test/docs/states.test.ts --update\`. An edge that is
not drawn is impossible, and a test tries each of them.
`;
  return [intro, ...machines.map(section)].join('\n');
}

function section({ title, about, initial, orInitial, edges }: Machine): string {
  const beginnings = [initial, ...(orInitial === undefined ? [] : [orInitial])];
  const rows = Object.entries(edges).flatMap(([act, { from, to, by, condition }]) =>
    from.map((state) => ({ act, state, next: to ?? state, by, condition })),
  );
  // Only the portal's tables have the roles and conditions of an act.
  const detailed = rows.some(({ by }) => by !== undefined);
  const more = (cells: string) => (detailed ? cells : '');
  return `## ${title}

${about}

\`\`\`mermaid
stateDiagram-v2
${beginnings.map(({ act, state }) => `  [*] --> ${name(state)} : ${act}`).join('\n')}
${rows.map(({ act, state, next }) => `  ${name(state)} --> ${name(next)} : ${act}`).join('\n')}
\`\`\`

| State | Act | Next state |${more(' By | Condition |')}
|---|---|---|${more('---|---|')}
${beginnings.map(({ act, state }) => `| (none) | ${act} | ${state} |${more(act === 'approve' ? ' operator | |' : ' developer | |')}`).join('\n')}
${rows.map(({ act, state, next, by, condition = '' }) => `| ${state} | ${act} | ${next} |${more(` ${by} | ${condition} |`)}`).join('\n')}
`;
}

/** The name of a state for Mermaid, which reads a hyphen as part of an arrow. */
function name(state: string): string {
  return state.replaceAll('-', '_');
}
