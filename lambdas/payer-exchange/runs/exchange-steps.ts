/** Carries out one step of a run, as its state machine asks, and says when the next one begins. */

import { exchangeDays } from '../../catalog/payer/exchange-states.ts';
import { dayMs } from '../../platform/kernel/business-days.ts';
import { downloadPhase } from './download-phase.ts';
import { type ExchangeRun, runFolder, runLimits } from './exchange-run.ts';
import type { ExchangeStep, ExchangeStepAnswer } from './exchange-steps-contract.ts';
import { exportPhase } from './export-phase.ts';
import { loadPhase } from './load-phase.ts';
import { matchPhase } from './match-phase.ts';
import { actOnMembers, membersOf } from './run-members.ts';
import type { StepOutcome } from './run-outcome.ts';
import { PayerUnreachable, type RunDependencies } from './run-ports.ts';
import { translatePhase } from './translate-phase.ts';

/** Files of a run that stay for operators after its end. */
const keptFiles = /rejects-\d+\.ndjson$/;

/**
 * Carries out a step. Every step is safe to repeat.
 *
 * @throws Error if the step must be repeated: a store or a bucket is unavailable
 */
export async function carryOutExchangeStep(
  deps: RunDependencies,
  step: ExchangeStep,
): Promise<ExchangeStepAnswer> {
  const run = await deps.runs.find(step.runId);
  if (run === undefined) return { kind: 'ended' };
  if (run.state !== 'running') {
    await removeFiles(deps, run);
    return { kind: 'ended' };
  }
  const outcome = step.step === 'fail' ? failedRun(run, 'execution_failed') : await nextOutcome(deps, run);
  return await settle(deps, run, outcome);
}

const failedRun = (run: ExchangeRun, reason: string): StepOutcome => ({ kind: 'failed', run, reason });

async function nextOutcome(deps: RunDependencies, run: ExchangeRun): Promise<StepOutcome> {
  const payer = await deps.payer(run.payerId);
  if (payer?.state !== 'active') return failedRun(run, 'payer_not_active');
  const server = deps.server(payer);
  try {
    switch (run.phase) {
      case 'match':
        return await matchPhase(deps, run, payer, server);
      case 'export':
        return await exportPhase(deps, run, payer, server);
      case 'download':
        return await downloadPhase(deps, run, server);
      case 'translate':
        return await translatePhase(deps, run, payer);
      case 'load':
        return await loadPhase(deps, run);
    }
  } catch (error) {
    if (error instanceof PayerUnreachable) return { kind: 'trouble', run, reason: error.reason };
    if (isZlibError(error)) return failedRun(run, 'file_unreadable');
    throw error;
  }
}

/** Whether gzipped bytes could not be expanded: they are the payer's, and a repeat would fail again. */
function isZlibError(error: unknown): boolean {
  return String((error as { readonly code?: unknown }).code).startsWith('Z_');
}

async function settle(
  deps: RunDependencies,
  before: ExchangeRun,
  outcome: StepOutcome,
): Promise<ExchangeStepAnswer> {
  const { runs, now } = deps;
  const at = new Date(now()).toISOString();
  const { troubleSince, because: _, ...run } = outcome.run;
  switch (outcome.kind) {
    case 'again':
    case 'wait': {
      const answer: ExchangeStepAnswer =
        outcome.kind === 'wait' ? { kind: 'wait', seconds: outcome.seconds } : { kind: 'again' };
      // Another execution has carried the run on: this one follows it.
      return (await runs.save(run)) ? answer : { kind: 'again' };
    }
    case 'trouble': {
      const since = troubleSince ?? at;
      const elapsed = (now() - Date.parse(since)) / 1000;
      const { reason } = outcome;
      const seconds = outcome.seconds ?? Math.min(runLimits.mostWait, Math.max(5, Math.ceil(elapsed / 4)));
      if (elapsed + seconds > runLimits.troubleSeconds)
        return await settle(deps, before, failedRun(run, reason));
      await runs.save({ ...run, troubleSince: since, because: reason });
      return { kind: 'wait', seconds: Math.max(runLimits.leastWait, seconds) };
    }
    case 'failed': {
      const { reason } = outcome;
      const nextAt = new Date(now() + exchangeDays.failedAgain * dayMs).toISOString();
      await actOnMembers(deps, await ownMembers(deps, before), 'ask-again', () => ({
        changes: { because: reason, nextAt },
      }));
      await runs.save({ ...run, state: 'failed', because: reason, endedAt: at });
      deps.report('exchange_run_failed', { lob: run.lob, payerId: run.payerId, runId: run.runId, reason });
      return { kind: 'again' };
    }
    case 'complete':
      await runs.save({ ...run, state: 'complete', endedAt: at });
      return { kind: 'again' };
  }
}

/** The members whose exchange this run is at work on. One that has ended its part already keeps its state. */
async function ownMembers(deps: RunDependencies, run: ExchangeRun) {
  const members = await membersOf(deps, run);
  const found = await deps.exchanges.find(members);
  const atWork: readonly string[] = ['match-sent', 'matched', 'export-sent', 'downloaded'];
  return members.filter((_, at) => found[at]?.runId === run.runId && atWork.includes(found[at]?.state ?? ''));
}

/** Removes what was downloaded of an ended run; rejected rows stay for operators until the bucket's rule removes them. */
async function removeFiles({ files }: RunDependencies, { runId }: ExchangeRun): Promise<void> {
  const keys = await files.keys(runFolder(runId));
  await files.remove(keys.filter((key) => !keptFiles.test(key)));
}
