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
import { drawnMachines, stateDiagram } from '../state-diagram.ts';
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

/** The states of a machine, each with the acts that may follow: who takes it, on which condition, and where it leads. */
function stateTable(argument: string): string {
  const { states, transitions } = pick(machines, argument);
  const next = (state: string) =>
    Object.entries(transitions)
      .filter(([, { from }]) => from.includes(state))
      .map(([act, { to, by, condition }]) => {
        const who = [actors[by], ...(condition === undefined ? [] : [condition])].join('; ');
        return `${act.replaceAll('_', ' ')}, then ${code(to)} (${who})`;
      });
  return markdownTable(
    ['State', 'Meaning', 'What may follow'],
    Object.entries(states).map(([state, meaning]) => [
      code(state),
      meaning,
      next(state).join('<br>') || 'nothing: the end',
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
  'state-diagram': (_, argument) =>
    stateDiagram(pick(Object.fromEntries(drawnMachines.map((name) => [name, name])), argument)),
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
