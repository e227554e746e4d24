/** Commands `status …`: what the public status page says, and the incidents and maintenance that operators write there. */

import type { IncidentView } from '../../lambdas/portal/api/operations-contract.ts';
import type { StatusView } from '../../lambdas/portal/api/status-view.ts';
import { componentKindNames, incidentSeverityNames } from '../../lambdas/portal/catalog/status.ts';
import type { CommandGroup } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/operation.ts';
import type { OptionName } from '../command-line/options.ts';
import { table } from '../command-line/table.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import {
  type CommandRequest,
  portalOptions,
  printAnswer,
  sendCommandRequest,
  sendUnlessDryRun,
} from './command-request.ts';

const own = {
  severity: { choices: incidentSeverityNames },
  component: { choices: componentKindNames },
  environment: { about: 'sandbox or production; both if absent' },
  lob: { about: 'only these lines of business; all if absent' },
} as const;
const writing: readonly OptionName[] = ['dry-run', ...portalOptions];

/** `status …`: the public status page. */
export const statusCommands: CommandGroup = {
  name: 'status',
  about: 'Shows the public status, and writes incidents and maintenance for it.',
  commands: [
    {
      name: 'list',
      about: 'Lists incidents and maintenance of the last 90 days and to come, newest first.',
      options: portalOptions,
      run: async (operation) =>
        printAnswer(operation, await sendCommandRequest(operation, { action: 'status' }), incidentsText),
    },
    {
      name: 'components',
      about: 'Lists the measured components with their state, and the state of each line of business’s data.',
      options: portalOptions,
      run: async (operation) =>
        printAnswer(operation, await sendCommandRequest(operation, { action: 'status' }), componentsText),
    },
    {
      name: 'measure',
      about: 'Measures now, beside the measurement every five minutes.',
      options: portalOptions,
      run: async (operation) =>
        printAnswer(
          operation,
          await sendCommandRequest(operation, { action: 'measure-status' }),
          ({ answered, failed, counted }) =>
            `${answered} components answer, ${failed} do not${counted ? '' : '; these five minutes were measured before, so this is not counted'}`,
        ),
    },
    {
      name: 'open',
      about:
        'Opens an incident, or announces maintenance. The page, the feed and developers’ applications show it at once.',
      options: [
        'severity',
        'title',
        'text',
        'component',
        'environment',
        'lob',
        'starts-at',
        'ends-at',
        ...writing,
      ],
      own,
      run: open,
    },
    {
      name: 'update <incident id>',
      about: 'Adds a text to an incident; may change its severity or the end of its maintenance.',
      options: ['text', 'severity', 'ends-at', ...writing],
      own,
      run: async (operation) => await change(operation, {}),
    },
    {
      name: 'resolve <incident id>',
      about: 'Ends an incident, with a text about what was done.',
      options: ['text', ...writing],
      run: async (operation) => await change(operation, { resolve: true }),
    },
  ],
};

const ifUnknown = 'Repeat the command: sent again, it changes nothing more.';

/** The options that were given, by the names of the request's members. */
function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

async function open(operation: CommandContext): Promise<ExitCode> {
  const { severity, title, text, component, environment, lob, ...values } = operation.values;
  const incident = given({
    severity,
    title,
    text,
    component: listOf(component),
    environment: environment && [environment],
    lob: listOf(lob),
    startsAt: values['starts-at'],
    endsAt: values['ends-at'],
  });
  const request = { action: 'open-incident', incident } as unknown as CommandRequest<'open-incident'>;
  return printAnswer(operation, await sendUnlessDryRun(operation, request, ifUnknown), incidentText);
}

async function change(operation: CommandContext, more: { readonly resolve?: true }): Promise<ExitCode> {
  const { text, severity, 'ends-at': endsAt } = operation.values;
  const [incidentId = ''] = operation.words;
  const request = {
    action: 'change-incident',
    incidentId,
    change: given({ text, severity, endsAt, ...more }),
  } as unknown as CommandRequest<'change-incident'>;
  return printAnswer(operation, await sendUnlessDryRun(operation, request, ifUnknown), incidentText);
}

/** The values of a repeated option, some of which may be separated by commas; undefined if there is none. */
function listOf(values: readonly string[] | undefined): readonly string[] | undefined {
  return values?.flatMap((each) => each.split(',')).map((each) => each.trim());
}

function incidentText({ id, severity, title, startsAt, endsAt, resolvedAt, updates }: IncidentView): string {
  const end = resolvedAt === undefined ? (endsAt ?? '') : `resolved ${resolvedAt}`;
  return [
    table(['incident id', 'severity', 'starts', 'ends', 'title'], [[id, severity, startsAt, end, title]]),
    ...updates.map(({ at, by, text }) => `${at} ${by}: ${text}`),
  ].join('\n');
}

function incidentsText({ incidents }: StatusView): string {
  if (incidents.length === 0) return 'no incident';
  return table(
    ['incident id', 'state', 'severity', 'starts', 'ends', 'components', 'title'],
    incidents.map(({ id, state, severity, startsAt, endsAt = '', resolvedAt = endsAt, parts, title }) => [
      ...[id, state, severity, startsAt, resolvedAt, String(parts.length), title],
    ]),
  );
}

function componentsText({ checkedAt, parts, data, directories }: StatusView): string {
  const ofData = data.map(({ environment, lob, late, loadedAt = '', freshUntil }) => [
    ...[`${environment}/${lob}`, 'members', loadedAt, late ? 'late' : 'on time', freshUntil],
  ]);
  const ofDirectories = directories.map(({ environment, lob, publishedAt }) => [
    ...[`${environment}/${lob}`, 'directory', publishedAt, '', ''],
  ]);
  return [
    parts.length === 0
      ? 'unknown: nothing was measured in the last quarter of an hour'
      : table(
          ['component', 'state', 'response time'],
          parts.map(({ name, answers, latencyMs }) => [
            name,
            answers ? 'answers' : 'does not answer',
            latencyMs === undefined ? '' : `${latencyMs} ms`,
          ]),
        ),
    `measured ${checkedAt}`,
    table(['line of business', 'data', 'loaded', 'state', 'next due by'], [...ofData, ...ofDirectories]),
  ].join('\n');
}
