import { clientStates } from '../../lambdas/applications/client.ts';
import { transitions as clientTransitions } from '../../lambdas/applications/transitions.ts';
import {
  codeTransitions,
  familyTransitions,
  grantTransitions,
  interactionTransitions,
} from '../../lambdas/oauth/states.ts';

interface Machine {
  readonly title: string;
  readonly about: string;
  readonly initial: { readonly act: string; readonly state: string };
  readonly states: readonly string[];
  /** `to` is absent where the act leaves the state as it is. */
  readonly edges: Readonly<Record<string, { readonly from: readonly string[]; readonly to?: string }>>;
}

/** Every state machine of an environment, from the tables that enforce it. */
export const machines: readonly Machine[] = [
  {
    title: 'Interaction',
    about:
      'A sign-in and consent in progress, tied to one browser. Every edge also needs that its time is not over; those of a code, that it is as it was read, and the right one’s time is not over. `visit` is the end of a sign-in to the connected apps, where nothing is asked for.',
    initial: { act: 'authorize', state: 'signing-in' },
    states: ['signing-in', 'verifying', 'consenting', 'answered'],
    edges: interactionTransitions,
  },
  {
    title: 'Authorization code',
    about:
      '`redeem` also needs that the code’s time is not over, and is one transaction with the grant’s `redeem`. `end` follows a presentation by someone, or with something, the code was not issued for.',
    initial: { act: 'share', state: 'issued' },
    states: ['issued', 'redeemed', 'ended'],
    edges: codeTransitions,
  },
  {
    title: 'Grant',
    about:
      'What a member allowed an application. Only an `active` grant whose time is not over gives data out.',
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
];

/** docs/states.md, whole. */
export function statesPage(): string {
  const intro = `# States

Made from the tables in [lambdas/oauth/states.ts](../lambdas/oauth/states.ts) and
[lambdas/applications/transitions.ts](../lambdas/applications/transitions.ts), which the store's conditions are made of
too. A test compares this page with them: after a change of a table, \`npx vitest run --project unit test/docs/states.test.ts --update\`
writes it anew. What is not drawn does not happen: each missing edge is tried by a test.
`;
  return [intro, ...machines.map(section)].join('\n');
}

function section({ title, about, initial, edges }: Machine): string {
  const rows = Object.entries(edges).flatMap(([act, { from, to }]) =>
    from.map((state) => ({ act, state, next: to ?? state })),
  );
  return `## ${title}

${about}

\`\`\`mermaid
stateDiagram-v2
  [*] --> ${name(initial.state)} : ${initial.act}
${rows.map(({ act, state, next }) => `  ${name(state)} --> ${name(next)} : ${act}`).join('\n')}
\`\`\`

| State | Act | Next state |
|---|---|---|
| (none) | ${initial.act} | ${initial.state} |
${rows.map(({ act, state, next }) => `| ${state} | ${act} | ${next} |`).join('\n')}
`;
}

/** Mermaid takes a hyphen for part of an arrow. */
function name(state: string): string {
  return state.replaceAll('-', '_');
}
