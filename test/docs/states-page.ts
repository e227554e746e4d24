import { clientStates } from '../../lambdas/clients/registration.ts';
import { transitions as clientTransitions } from '../../lambdas/clients/transitions.ts';
import {
  authorizationCodeTransitions,
  familyTransitions,
  grantTransitions,
  interactionTransitions,
  ssoSessionTransitions,
} from '../../lambdas/oauth/states.ts';
import {
  accountStateNames,
  accountTransitions,
  type PortalTransition,
} from '../../lambdas/portal/catalog/accounts.ts';
import {
  applicationStateNames,
  applicationTransitions,
  changeStates,
  changeTransitions,
} from '../../lambdas/portal/catalog/applications.ts';

interface Edge {
  readonly from: readonly string[];
  /** Absent where the act leaves the state as it is. */
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
  /** Another way to begin. */
  readonly orInitial?: Beginning;
  readonly states: readonly string[];
  readonly edges: Readonly<Record<string, Edge>>;
}

/** A table of the portal without the edge that makes the thing. */
function portalEdges(
  table: Readonly<Record<string, PortalTransition<string>>>,
): Readonly<Record<string, Edge>> {
  return Object.fromEntries(Object.entries(table).filter(([, { from }]) => from.length > 0));
}

/** Every state machine, from the tables that enforce it. */
export const machines: readonly Machine[] = [
  {
    title: 'Interaction',
    about:
      'A sign-in and consent in progress, tied to one browser. Every edge also needs that its time is not over; those of a code, that it is as it was read, and the right one’s time is not over. `visit` is the end of a sign-in to the connected apps, where nothing is asked for; `other-member` of one by another member than the application’s `id_token_hint` names. `continue` needs an open SSO session whose time is not over, and `share` after it one that is still open.',
    initial: { act: 'authorize', state: 'signing-in' },
    orInitial: { act: 'continue', state: 'consenting' },
    states: ['signing-in', 'verifying', 'consenting', 'answered'],
    edges: interactionTransitions,
  },
  {
    title: 'SSO session',
    about:
      'A sign-in a member chose to keep in one browser. `use` is the condition of what it stands in for: an interaction that begins with `continue`, a code that begins with `renew`; it also needs that its time is not over. `end` follows a sign-out, a switch of the account, or the next sign-in in the same browser.',
    initial: { act: 'sign-in, right-code', state: 'open' },
    states: ['open', 'ended'],
    edges: ssoSessionTransitions,
  },
  {
    title: 'Authorization code',
    about:
      '`redeem` also needs that the code’s time is not over, and is one transaction with the grant’s `redeem`, or with its `renew` where the code began with `renew`. `end` follows a presentation by someone, or with something, the code was not issued for.',
    initial: { act: 'share', state: 'issued' },
    orInitial: { act: 'renew', state: 'issued' },
    states: ['issued', 'redeemed', 'ended'],
    edges: authorizationCodeTransitions,
  },
  {
    title: 'Grant',
    about:
      'What a member allowed an application. Only an `active` grant whose time is not over gives data out. `renew` is the condition of another code of the same grant, when it is issued and when it is redeemed; it prolongs nothing.',
    initial: { act: 'share', state: 'pending' },
    states: ['pending', 'active', 'revoked'],
    edges: grantTransitions,
  },
  {
    title: 'Refresh token family',
    about:
      'The refresh tokens of a grant, one of them live. `rotate` puts its successor in its place; it also needs that neither the family’s time nor the grant is over.',
    initial: { act: 'redeem', state: 'active' },
    states: ['active', 'revoked'],
    edges: familyTransitions,
  },
  {
    title: 'Client',
    about:
      'A registered application as one environment knows it. Any other act is refused with `state_conflict`.',
    initial: { act: 'register', state: 'active' },
    states: clientStates,
    edges: clientTransitions,
  },
  {
    title: 'Developer account',
    about:
      'A developer’s account of the portal. What a state means is in `lambdas/portal/catalog/accounts.ts`.',
    initial: { act: 'sign_up', state: accountTransitions.sign_up.to },
    states: accountStateNames,
    edges: portalEdges(accountTransitions),
  },
  {
    title: 'Application',
    about:
      'An application in the portal. Its clients in the environments follow: production’s is suspended until the first approval.',
    initial: { act: 'register', state: applicationTransitions.register.to },
    states: applicationStateNames,
    edges: portalEdges(applicationTransitions),
  },
  {
    title: 'Change to an approved application',
    about:
      'Part of an application that is `approved`: what was approved keeps running until the difference is approved too.',
    initial: { act: 'approve', state: 'none' },
    states: Object.keys(changeStates),
    edges: portalEdges(changeTransitions),
  },
];

/** docs/states.md, whole. */
export function statesPage(): string {
  const intro = `# States

Made from the tables in [lambdas/oauth/states.ts](../lambdas/oauth/states.ts) and
[lambdas/clients/transitions.ts](../lambdas/clients/transitions.ts), and for the portal in
[lambdas/portal/catalog/accounts.ts](../lambdas/portal/catalog/accounts.ts) and
[lambdas/portal/catalog/applications.ts](../lambdas/portal/catalog/applications.ts), which the stores' conditions are made of
too. A test compares this page with them: after a change of a table, \`npx vitest run --project unit test/docs/states.test.ts --update\`
writes it anew. What is not drawn does not happen: each missing edge is tried by a test.
`;
  return [intro, ...machines.map(section)].join('\n');
}

function section({ title, about, initial, orInitial, edges }: Machine): string {
  const beginnings = [initial, ...(orInitial === undefined ? [] : [orInitial])];
  const rows = Object.entries(edges).flatMap(([act, { from, to, by, condition }]) =>
    from.map((state) => ({ act, state, next: to ?? state, by, condition })),
  );
  // The portal's tables say who may, and when.
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

/** Mermaid takes a hyphen for part of an arrow. */
function name(state: string): string {
  return state.replaceAll('-', '_');
}
