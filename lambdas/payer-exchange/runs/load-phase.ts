/** The last phase of a run: hands the drop to the loader, waits for its report, and records what each member received. */

import { jsonMember, jsonValue } from '../../platform/kernel/json-members.ts';
import { dropSource, type ExchangeRun } from './exchange-run.ts';
import { actOnMembers, membersThere, permittedOf } from './run-members.ts';
import type { StepOutcome } from './run-outcome.ts';
import type { RunDependencies } from './run-ports.ts';
import { hasLostPermission, resourcesOfMembers, translatedAgain } from './translate-phase.ts';

/** Most resources that one audit event names, so that its item stays below 400 KB. */
const namesInEvent = 1_000;

/** Seconds between two looks for the loader's report. */
const reportSeconds = 10;

export async function loadPhase(deps: RunDependencies, run: ExchangeRun): Promise<StepOutcome> {
  const folder = `${run.lob}/${dropSource(run.payerId)}/${run.runId}/`;
  if (run.drop.length > 0) {
    const report = await deps.drops.readText(`${folder}report.json`);
    if (report === undefined) return await handOver(deps, run, folder);
    const state = jsonMember(jsonValue(report), 'state');
    if (state !== 'reconciled') return { kind: 'failed', run, reason: 'load_not_reconciled' };
  }
  await recordReceived(deps, run);
  return { kind: 'complete', run };
}

/** Writes the manifest, with which the load begins, unless it is there. */
async function handOver(deps: RunDependencies, run: ExchangeRun, folder: string): Promise<StepOutcome> {
  const manifest = `${folder}manifest.json`;
  if ((await deps.drops.readText(manifest)) === undefined) {
    if (await hasLostPermission(deps, run)) return { kind: 'again', run: translatedAgain(run) };
    const text = JSON.stringify({
      lob: run.lob,
      source: dropSource(run.payerId),
      kind: 'delta',
      product: 'received',
      createdAt: new Date(deps.now()).toISOString(),
      files: run.drop,
    });
    await deps.drops.put(manifest, text, 'application/json');
  }
  return { kind: 'wait', run, seconds: reportSeconds };
}

async function recordReceived(deps: RunDependencies, run: ExchangeRun): Promise<void> {
  const matches = await permittedOf(deps, run, await membersThere(deps, run));
  const members = [...new Map(matches.map((each) => [each.exchangeId, each])).values()];
  const resources = await resourcesOfMembers(deps, run);
  // The earliest of the exports, so that the next one leaves no gap.
  const [since = new Date(deps.now()).toISOString()] = run.exports
    .flatMap(({ transactionTime }) => transactionTime ?? [])
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  const at = new Date(deps.now()).toISOString();
  await actOnMembers(deps, members, 'merge', ({ patientId, exchangeId }) => {
    const names = resources.get(patientId) ?? [];
    return {
      changes: { received: { at, since, resources: names.length } },
      audit: deps.event(run, {
        ...{ action: 'payer-exchange.receive', outcome: 'succeeded', patientId, exchangeId },
        resources: names.slice(0, namesInEvent),
      }),
    };
  });
}
