/** Commands `audit …`. */

import type {
  Finding,
  UnsealedEvent,
  UnsealedEventsAnswer,
  VerificationAnswer,
} from '../lambdas/audit/trail/verification-contract.ts';
import { type TokenIssuer, tokenIssuers } from '../lambdas/catalog/oauth/token-issuer.ts';
import { auditApplication } from './audit-application.ts';
import { auditKeys } from './audit-keys.ts';
import { auditMetrics } from './audit-metrics.ts';
import { auditOperator } from './audit-operator.ts';
import { questionOptions } from './audit-question.ts';
import { auditReads } from './audit-reads.ts';
import type { CommandGroup } from './command-line/command.ts';
import { listed, UsageError } from './command-line/command-line.ts';
import { type CommandContext, commonOptions, functionName, localOptions } from './command-line/operation.ts';
import { table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';

interface Verified extends Omit<VerificationAnswer, 'next'> {
  readonly issuer: TokenIssuer;
}

/** `audit …`: verify and read the audit trail. */
export const auditCommands: CommandGroup = {
  name: 'audit',
  about: 'Verifies and reads the audit trail.',
  commands: [
    {
      name: 'verify',
      about:
        'Recomputes every seal of all trails (or of one LOB) and compares it with its anchor. Then scans the table for events that no seal covers. Lists what is missing, changed or added.',
      options: [...commonOptions, 'lob', 'seals-only'],
      own: { lob: { choices: tokenIssuers } },
      failure: 'something is missing, changed or added',
      run: verifyTrails,
    },
    {
      name: 'keys',
      about:
        'Prints the public keys by which anyone can verify the seals, each as PEM with its ID and SHA-256 fingerprint. The last one signs; earlier ones verify earlier seals.',
      options: [...commonOptions],
      run: auditKeys,
    },
    {
      name: 'reads',
      about:
        'Lists the disclosures of a member’s data, with application and time; calls of one application and kind that follow each other are one line. --json prints the whole record, a call an entry, with refusals and sign-ins.',
      options: [...commonOptions, 'lob', 'member', 'patient', ...questionOptions],
      run: auditReads,
    },
    {
      name: 'application <client id>',
      about:
        'Lists the members whose data an application received, from the archive, which has an event within a quarter of an hour. --csv and --json print the whole record, with refusals.',
      options: [...commonOptions, 'lob', ...questionOptions],
      failure: 'the archive lacks seals of this period',
      run: auditApplication,
    },
    {
      name: 'operator <operator id>',
      about:
        'Lists what an operator did in the portal, newest first: decisions on applications and accounts, jobs, operators, and questions about operators. The ID is of `operators list`, or `command-line:` and the name that the operator gave there.',
      options: ['function', ...localOptions, ...questionOptions],
      run: auditOperator,
    },
    {
      name: 'metrics',
      about:
        'Prints the yearly report on Patient Access (42 CFR 422.119(f)): members whose data was sent to an application, and members whose data was sent more than once (on several days or to several applications), with the parts of the second number. Counts sealed events only; `counted until` shows the time of the last seal.',
      options: [...commonOptions, 'lob', 'year', 'ledger'],
      run: auditMetrics,
    },
  ],
};

/** `audit verify`: verifies every seal of the requested trails, page by page, and then searches the table for events without a seal. */
async function verifyTrails(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const name = functionName(operation, 'auditVerify');
  const issuers = authoritiesOf(values.lob ?? []);
  const trails: Verified[] = [];
  for (const issuer of issuers) trails.push(await verify(operation, name, issuer));
  const unsealed = values['seals-only'] === true ? undefined : await findUnsealed(operation, name, issuers);
  const report = { trails, ...(unsealed !== undefined && { unsealed }) };
  if (values.json === true) print(JSON.stringify(report, undefined, 2));
  else print(asText(trails, unsealed));
  return trails.every(({ findings }) => findings.length === 0) && (unsealed ?? []).length === 0 ? 0 : 1;
}

/** Lists events without a seal, of the requested issuers or of no issuer. */
async function findUnsealed(
  operation: CommandContext,
  name: string,
  issuers: readonly TokenIssuer[],
): Promise<readonly UnsealedEvent[]> {
  const others = tokenIssuers.filter((issuer) => !issuers.includes(issuer));
  const found: UnsealedEvent[] = [];
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const request = { question: 'unsealed-events', ...(after !== undefined && { after }) };
    const stretch = (await operation.invoke(name, request)) as UnsealedEventsAnswer;
    found.push(...stretch.unsealed);
    after = stretch.next;
  }
  return found.filter(({ pk }) => !others.some((issuer) => pk.startsWith(`AUDIT#${issuer}#`)));
}

/** Parses issuers: LOB codes and `M2M`; all of them if none is given. */
export function authoritiesOf(given: readonly string[]): readonly TokenIssuer[] {
  const named = listed(given).map((text) => {
    const issuer = tokenIssuers.find((known) => known === text.toUpperCase());
    if (issuer === undefined) throw new UsageError(`--lob must be one of ${tokenIssuers.join(', ')}`);
    return issuer;
  });
  return named.length === 0 ? tokenIssuers : named;
}

async function verify(operation: CommandContext, name: string, issuer: TokenIssuer): Promise<Verified> {
  let all: Verified = { issuer, seals: 0, events: 0, findings: [] };
  for (let position: VerificationAnswer['next'] = { sequence: 1 }; position !== undefined; ) {
    const page = (await operation.invoke(name, { issuer, ...position })) as VerificationAnswer;
    const { next, seals, events, findings, ...rest } = page;
    all = {
      ...all,
      ...rest,
      seals: all.seals + seals,
      events: all.events + events,
      findings: [...all.findings, ...findings],
    };
    position = next;
  }
  return all;
}

function asText(trails: readonly Verified[], unsealed: readonly UnsealedEvent[] = []): string {
  const rows = trails.map(({ issuer, seals, events, until, findings }) => [
    issuer,
    String(seals),
    String(events),
    until ?? 'never',
    findings.length === 0 ? 'complete' : `${findings.length} problem${findings.length === 1 ? '' : 's'}`,
  ]);
  const found = trails.flatMap(({ issuer, findings }) =>
    findings.map((finding) => `${issuer} seal ${sentence(finding)}`),
  );
  const outside = unsealed.map(({ pk, sk }) => `event ${sk} of ${pk} is in no seal`);
  return [table(['trail', 'seals', 'events', 'sealed until', 'result'], rows), ...found, ...outside].join(
    '\n',
  );
}

function sentence(finding: Finding): string {
  switch (finding.kind) {
    case 'seal_missing':
      return `${finding.sequence}: is missing`;
    case 'seal_changed':
      return `${finding.sequence}: was changed after it was made`;
    case 'seal_replaced':
      return `${finding.sequence}: differs from the seal that was anchored, or follows a different seal`;
    case 'list_changed':
      return `${finding.sequence}: its list of events was changed after it was sealed`;
    case 'sealed_late':
      return `${finding.sequence}: was made late, at ${finding.sealedAt}, after an outage or because seals were made again`;
    case 'not_anchored':
      return `${finding.sequence}: is the newest seal and has no anchor`;
    case 'not_sealed':
      return finding.since === undefined ? '-: no seal yet' : `-: no seal since ${finding.since}`;
    case 'event_missing':
      return `${finding.sequence}: event ${finding.sk} of ${finding.pk} is missing`;
    case 'event_changed':
      return `${finding.sequence}: event ${finding.sk} of ${finding.pk} was changed`;
    case 'event_added':
      return `${finding.sequence}: event ${finding.sk} of ${finding.pk} was added after its window was sealed`;
  }
}
