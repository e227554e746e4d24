/** Yearly metrics of member access, counted from the audit trail (`ops audit metrics`). */

import { isDataOperation } from '../../catalog/fhir/fhir-routes.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { EventReader, SealReader } from './audit-ports.ts';
import type { StoredEvent } from './event-digest.ts';
import type { AccessUsage, AccessUsageAnswer, AccessUsageRequest } from './questions-contract.ts';
import type { Leaf, Seal } from './seal.ts';
import { sealedParts } from './sealed-parts.ts';

const sealsInPage = 25;
const mostEventsInPage = 5_000;

export interface AccessUsagePorts {
  readonly events: EventReader;
  readonly seals: SealReader;
  readonly sha256: Sha256;
}

/**
 * Counts disclosures of members' data from the sealed trail. Seals list their events, so the table is not scanned. Reads one page of seals
 * per request, so that years can be counted.
 *
 * @throws the ports' errors.
 */
export async function accessUsage(
  ports: AccessUsagePorts,
  request: AccessUsageRequest,
): Promise<AccessUsageAnswer> {
  const { lob, from, until } = request;
  const start = request.position ?? { sequence: await firstSealAfter(ports.seals, lob, from) };
  const seals = await ports.seals.from(lob, start.sequence, sealsInPage + 1);
  const usage = new Map<string, AccessUsage>();
  let last: Seal | undefined;
  let read = 0;
  for (const seal of seals) {
    const { sequence } = seal;
    if (seal.from >= until) return answer(usage, last);
    const isFull =
      last !== undefined && (read >= mostEventsInPage || sequence - start.sequence >= sealsInPage);
    if (isFull) return { ...answer(usage, last), next: { sequence } };
    const position = sequence === start.sequence ? start : { sequence };
    for await (const { leaves, next } of sealedParts(ports.seals, ports.sha256, seal, position)) {
      read += await addEvents(ports, request, leaves, usage);
      if (read >= mostEventsInPage && next !== undefined) return { ...answer(usage, last), next };
    }
    last = seal;
  }
  return answer(usage, last);
}

function answer(usage: ReadonlyMap<string, AccessUsage>, last: Seal | undefined): AccessUsageAnswer {
  return { usage: [...usage.values()], ...(last !== undefined && { until: last.until }) };
}

/** Number of the first seal that ends after a time, by binary search; 1 if none does. */
async function firstSealAfter(seals: SealReader, issuer: TokenIssuer, time: string): Promise<number> {
  let low = 1;
  let high = (await seals.last(issuer))?.sequence ?? 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [seal] = await seals.from(issuer, middle, 1);
    if (seal !== undefined && seal.until <= time) low = Math.max(middle, seal.sequence) + 1;
    else high = middle;
  }
  return low;
}

/**
 * Adds the disclosures among sealed events to the counts.
 *
 * @returns the number of events read
 */
async function addEvents(
  { events, sha256 }: AccessUsagePorts,
  { lob, from, until }: AccessUsageRequest,
  listed: readonly Leaf[],
  usage: Map<string, AccessUsage>,
): Promise<number> {
  const leaves = listed.filter(
    (leaf) => leaf.pk.startsWith(patientPrefix(lob)) && leaf.sk >= from && leaf.sk < until,
  );
  const stored = await events.read(leaves);
  leaves.forEach((leaf, index) => {
    const event = stored[index];
    const disclosures = event === undefined ? 0 : disclosuresOf(event);
    if (disclosures === 0) return;
    const member = sha256(leaf.pk.slice(patientPrefix(lob).length));
    const clientId = typeof event?.clientId === 'string' ? event.clientId : '';
    const day = dayOf(leaf);
    const key = `${member} ${clientId} ${day}`;
    const before = usage.get(key)?.disclosures ?? 0;
    usage.set(key, { member, clientId, day, disclosures: before + disclosures });
  });
  return leaves.length;
}

const patientPrefix = (lob: TokenIssuer) => `AUDIT#${lob}#PATIENT#`;
const dayOf = ({ sk }: Leaf) => sk.slice(0, 'YYYY-MM-DD'.length);

/**
 * Disclosures that an event adds: 1 for a disclosure, −1 for a correction (the correction of a search is itself a disclosure of what was
 * sent, so it adds 0). A search without results disclosed nothing, and UserInfo returns only the member's identity.
 */
function disclosuresOf({ action, outcome, corrects, resources }: StoredEvent): number {
  if (!isDataOperation(action)) return 0;
  const isEmpty = Array.isArray(resources) && resources.length === 0;
  const sent = outcome === 'disclosed' && !isEmpty ? 1 : 0;
  return sent - (typeof corrects === 'string' ? 1 : 0);
}
