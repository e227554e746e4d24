/** Reads the sandbox calls that prove an application's products before approval from the log of calls, and stores what they prove. */

import type { CallPosition, LoggedCall } from '../../clients/provisioning/provisioning-contract.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import type { Evidence } from '../api/views.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { LoadedApplication } from './application.ts';
import type { EvidenceServices } from './application-ports.ts';
import { evidenceIn, untestedProducts } from './evidence.ts';

/** Calls read per page of the log, newest first. */
const pageSize = 200;
const mostPages = 5;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Reads the evidence of an application: the stored evidence and new calls in the sandbox's log. New evidence is stored, because the log
 * keeps calls for a limited time. `away`: the sandbox is not available, so there may be more evidence than returned.
 */
export async function readEvidence(
  portal: EvidenceServices,
  { application, clients, evidence }: LoadedApplication,
  configuration: ApplicationConfiguration,
): Promise<{ readonly evidence: readonly Evidence[]; readonly away: boolean }> {
  let missing = untestedProducts(configuration, evidence);
  const known = [...evidence];
  const clientId = clients.sandbox;
  if (clientId === undefined) return { evidence: known, away: missing.length > 0 };
  let before: CallPosition | undefined;
  for (let page = 0; page < mostPages && missing.length > 0; page += 1) {
    const answer = await callsOf(portal, clientId, before);
    if (answer === undefined) return { evidence: known, away: true };
    const found = evidenceIn(answer.calls, configuration, missing);
    if (found.length > 0) await portal.applications.keepEvidence(application.applicationId, found);
    known.push(...found);
    missing = untestedProducts(configuration, known);
    if (answer.next === undefined) break;
    before = answer.next;
  }
  return { evidence: known, away: false };
}

async function callsOf(
  { environments, now }: EvidenceServices,
  clientId: string,
  before: CallPosition | undefined,
): Promise<{ readonly calls: readonly LoggedCall[]; readonly next?: CallPosition } | undefined> {
  const answer = await environments.send('sandbox', {
    action: 'calls',
    clientId,
    from: now() - portalLimits.callLogDays * dayMs,
    to: now() + 1,
    ...(before === undefined ? {} : { before }),
    filter: { outcome: 'succeeded' },
    limit: pageSize,
  });
  return answer.kind === 'calls' ? answer : undefined;
}
