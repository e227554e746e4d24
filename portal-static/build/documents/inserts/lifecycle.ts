/** Generated parts of the public documentation: states of applications and accounts. */

import {
  accountStates,
  accountTransitions,
  developerTypes,
  type PortalTransition,
} from '../../../../lambdas/portal/catalog/account-states.ts';
import { agreements } from '../../../../lambdas/portal/catalog/agreements.ts';
import {
  applicationStates,
  applicationTransitions,
  applicationTypes,
  changeStates,
  changeTransitions,
  decisionCriteria,
} from '../../../../lambdas/portal/catalog/application-states.ts';
import { code, markdownTable } from '../markdown-table.ts';
import { applicationDiagram } from '../state-diagram.ts';
import { type Inserts, pick } from './insert.ts';

type Transitions = Readonly<Record<string, PortalTransition<string>>>;

const machines: Readonly<
  Record<string, { readonly states: Readonly<Record<string, string>>; readonly transitions: Transitions }>
> = {
  account: { states: accountStates, transitions: accountTransitions },
  application: { states: applicationStates, transitions: applicationTransitions },
  change: { states: changeStates, transitions: changeTransitions },
};

const actors = { developer: 'you', operator: 'an operator', service: 'the service' } as const;

function stateTable(argument: string): string {
  const { states, transitions } = pick(machines, argument);
  const next = (state: string) =>
    Object.entries(transitions)
      .filter(([, { from }]) => from.includes(state))
      .map(([act, { to }]) => `${act.replaceAll('_', ' ')} → ${code(to)}`);
  return markdownTable(
    ['State', 'Meaning', 'Possible actions'],
    Object.entries(states).map(([state, meaning]) => [
      code(state),
      meaning,
      next(state).join('; ') || 'none (final state)',
    ]),
  );
}

function transitionTable(argument: string): string {
  const { transitions } = pick(machines, argument);
  return markdownTable(
    ['Action', 'Who', 'From', 'To', 'Condition'],
    Object.entries(transitions).map(([act, { from, to, by, condition }]) => [
      act.replaceAll('_', ' '),
      actors[by],
      from.length === 0 ? 'nothing' : from.map(code).join(', '),
      code(to),
      condition ?? '',
    ]),
  );
}

function criteria(): string {
  return markdownTable(
    ['Criterion', 'Meaning', 'Can reject'],
    Object.entries(decisionCriteria).map(([id, { name, meaning, mayReject }]) => [
      `<span id="${id}">${name}</span>`,
      meaning,
      mayReject ? 'yes' : 'no, the operator requests changes',
    ]),
  );
}

function agreement(argument: string): string {
  const { title, version, sections, acceptance } = pick(agreements, argument);
  const texts = sections.map(({ heading, paragraphs }) => `### ${heading}\n\n${paragraphs.join('\n\n')}`);
  return [`## ${title}`, `Version ${version}.`, ...texts, `Acceptance: “${acceptance}”`].join('\n\n');
}

export const lifecycleInserts: Inserts = {
  states: (_, argument) => stateTable(argument),
  transitions: (_, argument) => transitionTable(argument),
  'application-diagram': applicationDiagram,
  'decision-criteria': criteria,
  agreement: (_, argument) => agreement(argument),
  'developer-types': () =>
    markdownTable(
      ['Developer type', 'An operator verifies the organization'],
      Object.values(developerTypes).map(({ name, organization }) => [name, organization ? 'yes' : 'no']),
    ),
  'application-types': () =>
    markdownTable(
      ['Application type', 'Can keep a secret'],
      Object.values(applicationTypes).map(({ name, confidential }) => [name, confidential ? 'yes' : 'no']),
    ),
};
