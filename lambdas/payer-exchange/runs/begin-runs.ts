/** Begins the runs that are due: the exchanges whose time has come, by payer and by the time of their last export. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { askableStates } from '../../catalog/payer/exchange-states.ts';
import type { MemberExchange } from '../exchange/member-exchange.ts';
import type { DueExchange, MemberExchanges } from '../exchange/member-exchanges-port.ts';
import type { OtherPayer } from '../payers/other-payer.ts';
import { type ExchangeRun, noCounts, runLimits, runMembersKey } from './exchange-run.ts';
import type { ExchangeRuns, RunFiles } from './run-ports.ts';

export interface BeginRunsDependencies {
  readonly runs: ExchangeRuns;
  readonly files: RunFiles;
  readonly payer: (payerId: string) => Promise<OtherPayer | undefined>;
  /** Starts the execution of a run; does nothing if it has one. */
  readonly start: (run: Pick<ExchangeRun, 'lob' | 'runId'>) => Promise<void>;
  readonly now: () => number;
  readonly uuid: () => string;
}

/** Whether a run may ask about an exchange now. */
function isAskable({ state, payerId, nextAt }: MemberExchange, now: number): boolean {
  const isDue = nextAt !== undefined && Date.parse(nextAt) <= now;
  return (askableStates as readonly string[]).includes(state) && payerId !== undefined && isDue;
}

/** Exchanges that are read at once, and so many that one call looks at: the next call goes on. */
const pageSize = 100;
const mostLookedAt = 20_000;

/**
 * Begins the runs of a LOB that are due now, and starts those anew whose execution was never started.
 *
 * @returns the runs that began
 */
export async function beginDueRuns(
  deps: BeginRunsDependencies & { readonly exchanges: MemberExchanges },
  lob: LineOfBusiness,
): Promise<readonly Pick<ExchangeRun, 'lob' | 'runId' | 'payerId' | 'members'>[]> {
  const { exchanges, runs, now, start } = deps;
  // An execution is started after its run is written, so that a killed call may have left a run without one.
  for (const run of await runs.list(pageSize)) if (run.state === 'running') await start(run);
  const due: MemberExchange[] = [];
  let after: DueExchange | undefined;
  let looked = 0;
  do {
    const page = await exchanges.due(new Date(now()).toISOString(), pageSize, after);
    for (const exchange of await exchanges.find(page)) {
      if (exchange !== undefined && isAskable(exchange, now())) due.push(exchange);
    }
    looked += page.length;
    after = page.length < pageSize || looked >= mostLookedAt ? undefined : page.at(-1);
  } while (after !== undefined);
  const begun = await beginRuns(deps, lob, due);
  return begun.map(({ runId, payerId, members }) => ({ lob, runId, payerId, members }));
}

/**
 * Begins a run for each payer that is active for the LOB. One that has a run already gets the next one from a later sweep.
 *
 * @param due exchanges that are askable
 * @returns the runs
 */
async function beginRuns(
  deps: BeginRunsDependencies,
  lob: LineOfBusiness,
  due: readonly MemberExchange[],
): Promise<readonly ExchangeRun[]> {
  const begun: ExchangeRun[] = [];
  for (const [payerId, ofPayer] of Map.groupBy(due, (exchange) => exchange.payerId ?? '')) {
    const payer = await deps.payer(payerId);
    if (payer?.state !== 'active' || !payer.linesOfBusiness.includes(lob)) continue;
    const groups = [...Map.groupBy(ofPayer, ({ received }) => received?.since).entries()];
    // The largest group first; the others follow when its run has ended.
    const [first] = groups.sort(([, a], [, b]) => b.length - a.length);
    if (first === undefined) continue;
    const [since, exchanges] = first;
    const members = exchanges
      .slice(0, runLimits.members)
      .map(({ patientId, exchangeId }) => ({ patientId, exchangeId }));
    const run = runOf(deps, { lob, payerId, since, members: members.length });
    await deps.files.put(runMembersKey(run.runId), JSON.stringify(members));
    if (!(await deps.runs.begin(run))) {
      await deps.files.remove([runMembersKey(run.runId)]);
      continue;
    }
    await deps.start(run);
    begun.push(run);
  }
  return begun;
}

function runOf(
  { now, uuid }: BeginRunsDependencies,
  of: Pick<ExchangeRun, 'lob' | 'payerId' | 'since' | 'members'>,
): ExchangeRun {
  const size = runLimits.membersInMatch;
  return {
    ...of,
    runId: uuid(),
    state: 'running',
    phase: 'match',
    batches: Array.from({ length: Math.ceil(of.members / size) }, (_, at) => ({
      from: at * size,
      to: Math.min(of.members, (at + 1) * size),
    })),
    exports: [],
    files: [],
    drop: [],
    translated: 0,
    counts: noCounts,
    startedAt: new Date(now()).toISOString(),
    revision: 1,
  };
}
