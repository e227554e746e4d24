/** Command `audit metrics`. */

import type { AccessUsageAnswer } from '../lambdas/audit/trail/questions-contract.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../lambdas/catalog/lines-of-business.ts';
import { type AccessLedger, addUsage, readLedger, type Transfer, writeLedger } from './access-ledger.ts';
import { environmentOf, linesOfBusinessOf, UsageError } from './command-line/command-line.ts';
import { type CommandContext, functionName } from './command-line/operation.ts';
import { table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';

/**
 * The report's two numbers, and details of the second. Data counts as transferred once if one application gets it on one day (UTC), in
 * however many calls, because an application reads a member's data in several calls. *More than once* therefore means on several days or to
 * several applications.
 */
interface Metrics {
  readonly lob: LineOfBusiness;
  readonly members: number;
  readonly moreThanOnce: number;
  readonly detail: {
    readonly onSeveralDays: number;
    readonly toSeveralApplications: number;
    /** Members with more than one call that was answered with data: the broadest interpretation. */
    readonly inSeveralCalls: number;
  };
  /** Time up to which the audit trail is sealed; absent if nothing is sealed. */
  readonly countedUntil?: string;
}

/**
 * `audit metrics`: the yearly report on the use of Patient Access. It counts the members whose data was transferred to an application of
 * their choice, and those whose data was transferred more than once (42 CFR 422.119(f), 431.60(f), 457.730(f), 45 CFR 156.221(f)). With
 * `--ledger`, it continues from the counts of an earlier run.
 */
export async function auditMetrics(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const year = values.year ?? '';
  if (!/^20\d\d$/.test(year))
    throw new UsageError('--year is missing; give the year to report on, e.g. 2026');
  if (Number(year) > new Date().getUTCFullYear()) {
    throw new UsageError(`the year ${year} has not begun: there is nothing to report`);
  }
  const lobs = linesOfBusinessOf(values.lob ?? []);
  const rows: Metrics[] = [];
  for (const lob of lobs.length === 0 ? lineOfBusinessCodes : lobs) {
    rows.push(await metricsOf(operation, lob, Number(year)));
  }
  print(values.json === true ? JSON.stringify(rows, undefined, 2) : asTable(rows));
  return 0;
}

async function metricsOf(operation: CommandContext, lob: LineOfBusiness, year: number): Promise<Metrics> {
  const start = (of: number) => new Date(Date.UTC(of, 0, 1)).toISOString();
  const [first, until] = [start(year), start(year + 1)];
  const environment = environmentOf(operation.values);
  const folder = operation.values.ledger;
  const place = folder === undefined ? undefined : { folder, environment, lob, year };
  const ledger: AccessLedger = place === undefined ? { members: new Map() } : readLedger(place);
  const from = ledger.countedUntil ?? first;
  // A seal begins where the previous one ends, so that no event is counted twice.
  for (let position: AccessUsageAnswer['next'], more = from < until; more; more = position !== undefined) {
    const page = (await operation.invoke(functionName(operation, 'auditVerify'), {
      question: 'access-usage',
      ...{ lob, from, until },
      ...(position !== undefined && { position }),
    })) as AccessUsageAnswer;
    addUsage(ledger, page.usage);
    if (page.until !== undefined) ledger.countedUntil = page.until;
    position = page.next;
  }
  if (place !== undefined && ledger.countedUntil !== undefined) writeLedger(place, ledger);
  const { members, countedUntil } = ledger;
  return { lob, ...counted([...members.values()]), ...(countedUntil !== undefined && { countedUntil }) };
}

/**
 * Computes the metrics.
 *
 * @param members transfers of each member; empty for a member whose disclosures were all corrected
 */
function counted(members: readonly (readonly Transfer[])[]) {
  const sent = members
    .map((all) => all.filter(({ disclosures }) => disclosures > 0))
    .filter((transfers) => transfers.length > 0)
    .map((transfers) => ({
      transfers: transfers.length,
      calls: transfers.reduce((sum, { disclosures }) => sum + disclosures, 0),
      days: new Set(transfers.map(({ day }) => day)).size,
      applications: new Set(transfers.map(({ clientId }) => clientId)).size,
    }));
  const those = (which: (one: (typeof sent)[number]) => boolean) => sent.filter(which).length;
  return {
    members: sent.length,
    moreThanOnce: those(({ transfers }) => transfers > 1),
    detail: {
      onSeveralDays: those(({ days }) => days > 1),
      toSeveralApplications: those(({ applications }) => applications > 1),
      inSeveralCalls: those(({ calls }) => calls > 1),
    },
  };
}

function asTable(rows: readonly Metrics[]): string {
  return [
    table(
      ['line of business', 'members', 'more than once', 'counted until'],
      rows.map((row) => [
        row.lob,
        ...[row.members, row.moreThanOnce].map(String),
        row.countedUntil ?? 'no seal yet',
      ]),
    ),
    '',
    'More than once: on several days or to several apps. One app on one day counts once. Details:',
    '',
    table(
      ['line of business', 'on several days', 'to several apps', 'in several calls'],
      rows.map(({ lob, detail }) => [
        lob,
        ...[detail.onSeveralDays, detail.toSeveralApplications, detail.inSeveralCalls].map(String),
      ]),
    ),
  ].join('\n');
}
