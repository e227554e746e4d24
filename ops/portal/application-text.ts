/** Formats an application for the operator's terminal, with everything needed for a decision. */

import type { OperatorApplicationView } from '../../lambdas/portal/api/operator-views.ts';
import { verdictOf, verdictText, worstFirst } from '../../lambdas/portal/api/verdict.ts';
import type { CallView, Difference, PreflightCheck, TimelineEvent } from '../../lambdas/portal/api/views.ts';
import { pairs, table } from '../command-line/table.ts';

/** Formats an application with everything needed for a decision. */
export function applicationText(application: OperatorApplicationView): string {
  const { production, sandbox, change } = application;
  const configuration = change?.configuration ?? production?.configuration ?? sandbox.configuration;
  return [
    summary(application),
    section(`configuration (${change ? 'proposed' : production ? 'production' : 'sandbox'})`, [
      pairs(Object.entries(configuration).map(([name, value]) => [name, asText(value)])),
    ]),
    section('proposed change', differenceLines(change?.difference)),
    section('changes since the last submission', differenceLines(application.resubmission)),
    section('differences from the sandbox', differenceLines(application.sandboxDifference)),
    section('pre-flight', checkLines(worstFirst(application.preflight))),
    section('sandbox calls', callLines(application.sandboxCalls)),
    section('timeline', timelineLines(application.timeline)),
    `available actions: ${application.allowed.join(', ') || 'nothing'}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function summary(application: OperatorApplicationView): string {
  const { developer, decision, attestation, approvedBy, sandbox, production } = application;
  const { decisionExpectedBy, ownAct, preflight } = application;
  return pairs([
    ['verdict', verdictText(verdictOf(preflight))],
    ['application', `${application.name}  (${application.applicationId})`],
    ['state', `${application.state}, version ${application.version}`],
    ...(application.pending === undefined
      ? []
      : [['not confirmed', pendingText(application.pending)] as const]),
    ...(decisionExpectedBy === undefined ? [] : [['expected by', decisionExpectedBy] as const]),
    ...(ownAct === undefined ? [] : [['decides', 'another operator: you took part already'] as const]),
    ['change', application.changeState],
    [
      'developer',
      `${developer.firstName} ${developer.lastName}, ${developer.company}, ${developer.email} (${developer.state})`,
    ],
    ['sandbox client', sandbox.clientId],
    ...(production === undefined ? [] : [['production client', production.clientId] as const]),
    ['attested', attestation === undefined ? 'no' : `${attestation.at} by ${attestation.by}`],
    ...(approvedBy === undefined ? [] : [['first approval', approvedBy] as const]),
    ...(decision === undefined
      ? []
      : [['last decision', `${decision.criterion ?? ''} ${decision.words}`] as const]),
    ...(application.appealed ? [['appealed', 'yes'] as const] : []),
  ]);
}

/** Formats changes that an environment has not confirmed yet. */
function pendingText(pending: NonNullable<OperatorApplicationView['pending']>): string {
  const each = pending.map(({ environment, since }) => `by ${environment} since ${since}`);
  return `${each.join(', ')}; repeat the decision to retry now`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : [`${title}:`, ...lines.map((line) => line.replace(/^/gm, '  '))].join('\n');
}

function differenceLines(differences: readonly Difference[] = []): string[] {
  return differences.map(({ field, before, after }) => `${field}: ${asText(before)} -> ${asText(after)}`);
}

function checkLines(checks: readonly PreflightCheck[]): string[] {
  return checks.length === 0
    ? []
    : [
        table(
          ['result', 'check', 'detail'],
          checks.map(({ result, title, detail }) => [result, title, detail]),
        ),
      ];
}

function callLines(calls: readonly CallView[]): string[] {
  return calls.length === 0
    ? []
    : [
        table(
          ['time', 'status', 'method', 'route', 'host'],
          calls.map(({ at, status, method, route, host }) => [at, String(status), method, route, host]),
        ),
      ];
}

function timelineLines(timeline: readonly TimelineEvent[]): string[] {
  return timeline.map(({ at, actor, act, state, criterion, field, words }) =>
    [at, actor.name, act, `(${state})`, criterion, field, words]
      .filter((part) => part !== undefined)
      .join('  '),
  );
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(', ');
  return value === undefined ? 'not given' : typeof value === 'string' ? value : JSON.stringify(value);
}
