/** Carries out operators' requests on other payers. Each change has an audit event; nothing here reads a member's record. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { otherPayerTransitions, type PayerFault } from '../../catalog/payer/other-payers.ts';
import { discoverPayers } from '../discovery/discover-payers.ts';
import { type FoundPayer, type OtherPayer, payerDifferences, withCheck } from './other-payer.ts';
import {
  type OtherPayerAnswer,
  type OtherPayerOperation,
  type OtherPayerRefusal,
  type OtherPayerSummary,
  otherPayerOperation,
} from './other-payer-operations-contract.ts';
import { mostPayersInWrite, type OtherPayerList, type OtherPayers } from './other-payers-port.ts';
import { addressFault, plainAddress } from './payer-address.ts';
import { newPayerId, payerName } from './payer-name.ts';
import { payerRefusal } from './payer-validity.ts';
import { proposePayer } from './propose-payer.ts';
import { type PayerTest, testPayer } from './test-payer.ts';

export interface OtherPayerServices extends PayerTest {
  readonly payers: OtherPayers;
  /** Lines of business of the environment. */
  readonly linesOfBusiness: readonly LineOfBusiness[];
  /** Encrypts the value of a payer's header. */
  readonly sealHeader: (payerId: string, value: string) => Promise<Uint8Array>;
  /** Number of members that are to be asked about now, by the payer's ID. */
  readonly waiting: () => Promise<ReadonlyMap<string, number>>;
}

type Request<Action extends OtherPayerOperation['action']> = Extract<
  ReturnType<typeof otherPayerOperation.parse>,
  { readonly action: Action }
>;

const unknownPayer: OtherPayerRefusal = { kind: 'refused', reason: 'no_such_payer' };
const changedSince: OtherPayerRefusal = { kind: 'refused', reason: 'changed_since' };

/**
 * Carries out an operator's request.
 *
 * @throws ZodError for an invalid payload; StoreUnavailable
 */
export async function carryOutPayerOperation(
  services: OtherPayerServices,
  payload: unknown,
): Promise<OtherPayerAnswer> {
  const request = otherPayerOperation.parse(payload);
  switch (request.action) {
    case 'list-payers': {
      const [{ payers }, waiting] = await Promise.all([services.payers.all(), services.waiting()]);
      const byName = payers.toSorted((one, other) => one.name.localeCompare(other.name));
      return { kind: 'payers', payers: byName.map((payer) => summaryOf(payer, waiting)) };
    }
    case 'show-payer': {
      const payer = await services.payers.find(request.payerId);
      return payer === undefined ? unknownPayer : await shown(services, payer);
    }
    case 'discover-payers': {
      const { found, faults } = await discoverPayers(services.web, request.address, request.identifiers);
      return await propose(services, request, { source: 'discovered', found, faults });
    }
    case 'import-payers':
      return await propose(services, request, {
        source: 'imported',
        found: request.payers.map(({ name, identifiers, fhirBase, contact }) => ({
          name: payerName(name, plainAddress(fhirBase)),
          identifiers,
          fhirBase: plainAddress(fhirBase),
          ...(contact !== undefined && { contact: payerName(contact, fhirBase) }),
        })),
        faults: [],
      });
    case 'add-payer':
      return await add(services, request);
    case 'update-payer':
      return await update(services, request);
    case 'test-payer':
      return await test(services, request.payerId);
    case 'activate-payer':
      return await change(services, request, 'activate', (payer) =>
        isIn('activate', payer) ? { ...payer, state: otherPayerTransitions.activate.to } : undefined,
      );
    case 'suspend-payer':
      return await change(services, request, 'suspend', (payer) =>
        isIn('suspend', payer) ? { ...payer, state: otherPayerTransitions.suspend.to } : undefined,
      );
    case 'remove-payer':
      return await remove(services, request);
  }
}

function isIn(act: keyof typeof otherPayerTransitions, { state }: OtherPayer): boolean {
  return otherPayerTransitions[act].from.some((from) => from === state);
}

/** Stores proposals of what was found, in groups that fit into a transaction. */
async function propose(
  services: OtherPayerServices,
  { requestId, operatorId }: Pick<Request<'discover-payers'>, 'requestId' | 'operatorId'>,
  {
    source,
    found,
    faults,
  }: {
    readonly source: 'discovered' | 'imported';
    readonly found: readonly FoundPayer[];
    readonly faults: readonly PayerFault[];
  },
): Promise<OtherPayerAnswer> {
  const { linesOfBusiness, now, payers, web } = services;
  const at = new Date(now()).toISOString();
  const refused: PayerFault[] = [...faults];
  const proposed: { readonly payer: OtherPayer; readonly outcome: 'new' | 'known' }[] = [];
  for (let from = 0; from < found.length; from += mostPayersInWrite) {
    let list = await payers.all();
    const seen = list;
    const group = new Map<string, (typeof proposed)[number]>();
    for (const each of found.slice(from, from + mostPayersInWrite)) {
      const fault = addressFault(each.fhirBase, web.rules);
      if (fault !== undefined) {
        refused.push({ code: fault, address: each.fhirBase.slice(0, 500) });
        continue;
      }
      const proposal = proposePayer(list.payers, each, { source, at, linesOfBusiness });
      if (proposal.kind === 'ambiguous') {
        const detail = proposal.payerIds.join(', ');
        refused.push({ code: 'two-payers', address: each.fhirBase, detail });
        continue;
      }
      const { payer, kind } = proposal;
      group.set(payer.payerId, { payer, outcome: group.get(payer.payerId)?.outcome ?? kind });
      list = withPayer(list, payer);
    }
    const changed = [...group.values()].map(({ payer }) => ({
      payer,
      event: { payerId: payer.payerId, act: source, requestId, operatorId },
    }));
    if (changed.length > 0 && !(await payers.save(seen, changed))) return changedSince;
    proposed.push(...group.values());
  }
  const waiting = await services.waiting();
  return {
    kind: 'proposed',
    payers: proposed.map(({ payer, outcome }) => ({ payer: summaryOf(payer, waiting), outcome })),
    faults: refused,
  };
}

function withPayer({ payers, revision }: OtherPayerList, payer: OtherPayer): OtherPayerList {
  return { payers: [...payers.filter(({ payerId }) => payerId !== payer.payerId), payer], revision };
}

async function add(services: OtherPayerServices, request: Request<'add-payer'>): Promise<OtherPayerAnswer> {
  const { payer: given, requestId, operatorId } = request;
  const seen = await services.payers.all();
  const taken = seen.payers.map(({ payerId }) => payerId);
  const payerId = request.payerId ?? newPayerId(given.name, taken);
  if (taken.includes(payerId)) return { kind: 'refused', reason: 'already_known', payerIds: [payerId] };
  const { header, contact, linesOfBusiness = services.linesOfBusiness, ...values } = given;
  const payer: OtherPayer = {
    ...values,
    ...(contact !== undefined && { contact }),
    ...(header !== undefined && { header: await sealed(services, payerId, header) }),
    payerId,
    fhirBase: plainAddress(given.fhirBase),
    linesOfBusiness,
    state: 'proposed',
    source: 'operator',
    checks: [],
    revision: 1,
    changedAt: new Date(services.now()).toISOString(),
  };
  const refusal = payerRefusal(payer, seen.payers, services.web.rules);
  if (refusal !== undefined) return refusal;
  const event = { payerId, act: 'add', requestId, operatorId };
  return (await services.payers.save(seen, [{ payer, event }])) ? await shown(services, payer) : changedSince;
}

async function update(
  services: OtherPayerServices,
  request: Request<'update-payer'>,
): Promise<OtherPayerAnswer> {
  const { payerId, changes, acceptFound = false } = request;
  const { header, contact, fhirBase, ...values } = changes;
  const newHeader = header == null ? undefined : await sealed(services, payerId, header);
  return await change(services, request, acceptFound ? 'accept' : 'update', (payer) => {
    const changed = { ...payer, ...(acceptFound && accepted(payer)), ...defined(values) };
    return {
      ...changed,
      fhirBase: plainAddress(fhirBase ?? changed.fhirBase),
      contact: contact === null ? undefined : (contact ?? changed.contact),
      header: header === null ? undefined : (newHeader ?? changed.header),
    };
  });
}

/** The found values, which replace the payer's. */
function accepted({ found }: OtherPayer): Partial<OtherPayer> {
  if (found === undefined) return {};
  const { at: _at, identifiers, ...values } = found;
  return { ...defined(values), ...(identifiers.length > 0 && { identifiers }) };
}

function defined<Values extends object>(values: Values) {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
}

async function sealed(
  { sealHeader }: OtherPayerServices,
  payerId: string,
  { name, value }: { readonly name: string; readonly value: string },
) {
  return { name, sealed: await sealHeader(payerId, value) };
}

/**
 * Changes a payer of which the operator saw the current revision.
 *
 * @param changed makes the payer after the change; undefined if the act is not allowed in its state.
 */
async function change(
  { payers, now, web, ...services }: OtherPayerServices,
  request: Pick<Request<'activate-payer'>, 'payerId' | 'revision' | 'requestId' | 'operatorId'>,
  act: string,
  changed: (payer: OtherPayer) => OtherPayer | undefined,
): Promise<OtherPayerAnswer> {
  const { payerId, revision, requestId, operatorId } = request;
  const seen = await payers.all();
  const before = seen.payers.find((each) => each.payerId === payerId);
  if (before === undefined) return unknownPayer;
  if (before.revision !== revision) return changedSince;
  const after = changed(before);
  if (after === undefined) return { kind: 'refused', reason: 'not_in_this_state' };
  const payer = { ...after, revision: revision + 1, changedAt: new Date(now()).toISOString() };
  const refusal = payerRefusal(payer, seen.payers, web.rules);
  if (refusal !== undefined) return refusal;
  const event = { payerId, act, requestId, operatorId };
  const isSaved = await payers.save(seen, [{ payer, event }]);
  return isSaved ? await shown(services, payer) : changedSince;
}

/** Tests a payer in any state: an operator tests a proposal before activating it. */
async function test(services: OtherPayerServices, payerId: string): Promise<OtherPayerAnswer> {
  const payer = await services.payers.find(payerId);
  if (payer === undefined) return unknownPayer;
  if (payer.tokenEndpoint === '' || payer.clientId === '') {
    const faults = [
      { field: 'clientId', expected: 'A token endpoint and a client ID are required for a test.' },
    ];
    return { kind: 'refused', reason: 'invalid', faults };
  }
  const check = await testPayer(services, payer);
  await services.payers.recordCheck(payerId, check);
  const tested = { ...payer, checks: withCheck(payer.checks, check) };
  return { kind: 'tested', payer: summaryOf(tested, await services.waiting()), check };
}

async function remove(
  { payers }: OtherPayerServices,
  request: Request<'remove-payer'>,
): Promise<OtherPayerAnswer> {
  const { payerId, revision, requestId, operatorId } = request;
  const seen = await payers.all();
  const payer = seen.payers.find((each) => each.payerId === payerId);
  if (payer === undefined) return unknownPayer;
  if (payer.revision !== revision) return changedSince;
  if (!isIn('remove', payer)) return { kind: 'refused', reason: 'not_in_this_state' };
  const isRemoved = await payers.remove(seen, { payerId, act: 'remove', requestId, operatorId });
  return isRemoved ? { kind: 'removed', payerId } : changedSince;
}

async function shown(
  { waiting }: Pick<OtherPayerServices, 'waiting'>,
  payer: OtherPayer,
): Promise<OtherPayerAnswer> {
  return { kind: 'payer', payer: summaryOf(payer, await waiting()) };
}

function summaryOf(payer: OtherPayer, waiting: ReadonlyMap<string, number>): OtherPayerSummary {
  const { header, ...values } = payer;
  return {
    ...values,
    ...(header !== undefined && { headerName: header.name }),
    differences: payerDifferences(payer),
    waiting: waiting.get(payer.payerId) ?? 0,
  };
}
