import { hasLoadEnded, type Load } from '../../../lambdas/loads/ledger/load.ts';
import { type Fault, refusal } from '../../support/faulty-proxy.ts';
import { durations, cases as storeCases } from '../faults.ts';
import type { LoadMachine, StepFault } from './load-machine.ts';
import {
  filesOf,
  folderOf,
  type LoadedState,
  loadedState,
  manifestOf,
  type NamedDrop,
} from './loaded-state.ts';

/** A fault during the load of a drop: the service, the first call, the kind of fault, and the number of consecutive calls. */
export interface LoadFault {
  readonly service: 'dynamodb' | 's3' | 'states' | 'events';
  readonly at: number;
  readonly fault: string;
  readonly calls: number;
}

/** Calls that an outage breaks: more than all attempts of a function and of the state machine. */
const outage = 60;

/** Faults of S3, and of KMS, without whose key S3 reads and writes nothing. */
const objectFaults: Readonly<Record<string, Fault>> = {
  'the call is lost': 'drop',
  'no answer ever comes': 'silence',
  'S3 slows down': { status: 503, body: '<Error><Code>SlowDown</Code></Error>' },
  'KMS throttles': { status: 400, body: '<Error><Code>KMS.ThrottlingException</Code></Error>' },
  'KMS has disabled the key': { status: 400, body: '<Error><Code>KMS.DisabledException</Code></Error>' },
  'it is carried out and the answer lost': 'answer-lost',
  'it is carried out and the answer cut': 'answer-cut',
};
const tableFaults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(storeCases.map(({ fault, met }) => [fault, met])),
  'KMS has disabled the key': refusal('KMSInvalidStateException'),
};
const stepFaults: readonly StepFault[] = ['lost', 'answer-lost', 'stopped'];

type CallsMade = Readonly<Record<'dynamodb' | 's3' | 'states', number>>;

/** Lists every fault of every call, given the number of calls in an undisturbed load. */
export function everyFault(made: CallsMade): readonly LoadFault[] {
  const each = (service: LoadFault['service'], fault: string, lengths: readonly number[]): LoadFault[] =>
    service === 'events'
      ? [{ service, fault, at: 0, calls: 1 }]
      : Array.from({ length: made[service] }, (_, at) =>
          lengths.map((calls) => ({ service, at, fault, calls })),
        ).flat();
  const lengthsOf = (met: Fault) => {
    if (met === 'silence') return [durations.once];
    const isOutage = met === 'drop' || met === 'answer-lost';
    return [durations.once, durations['for good'], ...(isOutage ? [outage] : [])];
  };
  return [
    ...Object.entries(tableFaults).flatMap(([fault, met]) => each('dynamodb', fault, lengthsOf(met))),
    ...Object.entries(objectFaults).flatMap(([fault, met]) => each('s3', fault, lengthsOf(met))),
    ...stepFaults.flatMap((fault) => each('states', fault, fault === 'stopped' ? [1] : [1, outage])),
    ...['twice at once', 'twice', 'lost'].flatMap((fault) => each('events', fault, [1])),
  ];
}

const dropOf = (name: string): NamedDrop => ({ name, groups: 1 });

/**
 * Uploads the drop without sending the event for its manifest.
 *
 * @returns the event.
 */
async function upload({ bucket }: LoadMachine, drop: NamedDrop): Promise<object> {
  const files = filesOf(drop);
  for (const { name, text } of files) {
    await bucket.put(`${folderOf(drop)}${name}`, text, 'application/x-ndjson');
  }
  const key = `${folderOf(drop)}manifest.json`;
  await bucket.put(key, manifestOf(files), 'application/json');
  return { detail: { object: { key, 'version-id': (await bucket.head(key))?.versionId } } };
}

/**
 * Loads a new drop with a fault, follows the runbook until the load is reconciled, and reads the result.
 *
 * @param name of the drop, which differs for each load and always has the same length.
 */
export async function loadWith(
  machine: LoadMachine,
  name: string,
  fault?: LoadFault,
): Promise<{ readonly state: LoadedState; readonly made: CallsMade }> {
  const event = await upload(machine, dropOf(name));
  plan(machine, fault);
  const isTwice = fault?.service === 'events' && fault.fault !== 'lost';
  if (fault?.fault === 'twice at once') await Promise.all([machine.execute(event), machine.execute(event)]);
  else if (fault?.service !== 'events') await machine.execute(event);
  else for (let times = isTwice ? 2 : 0; times > 0; times -= 1) await machine.execute(event);
  const calls = [...machine.dynamoDb.proxy.calls];
  const made = { dynamodb: calls.length, s3: machine.s3.calls.length, states: machine.steps.count() };
  plan(machine, undefined);
  await mend(machine, name, event);
  expectAudited([...calls, ...machine.dynamoDb.proxy.calls]);
  const counts = (await loadOf(machine, name))?.counts;
  const { table } = machine.dynamoDb;
  return { state: await loadedState(table, machine.bucket.readText, dropOf(name), counts), made };
}

function plan({ dynamoDb, s3, steps }: LoadMachine, fault: LoadFault | undefined): void {
  const faultsOf = <T>(service: LoadFault['service'], met: T): readonly (T | 'none')[] =>
    fault?.service === service
      ? [
          ...Array.from({ length: fault.at }, () => 'none' as const),
          ...Array.from({ length: fault.calls }, () => met),
        ]
      : [];
  dynamoDb.proxy.plan(...faultsOf('dynamodb', tableFaults[fault?.fault ?? ''] ?? 'none'));
  s3.plan(...faultsOf('s3', objectFaults[fault?.fault ?? ''] ?? 'none'));
  steps.plan(...faultsOf('states', fault?.fault as StepFault));
}

const mostActs = 4;

/** Follows the runbook's instructions for operators until the load is reconciled. */
async function mend(machine: LoadMachine, name: string, event: object): Promise<void> {
  for (let acts = 0; ; acts += 1) {
    const load = await loadOf(machine, name);
    if (load?.state === 'reconciled') return;
    if (acts === mostActs)
      throw new Error(`after ${mostActs} acts the load is ${load?.state} (${load?.reason})`);
    if (load === undefined) await machine.execute(event);
    else {
      const { lob, jobId } = load;
      // The fault ended the execution while the load was still recorded as running.
      if (!hasLoadEnded(load.state)) await machine.operate({ action: 'cancel', lob, jobId });
      await machine.operate({ action: 'retry', lob, jobId });
    }
  }
}

async function loadOf(machine: LoadMachine, name: string): Promise<Load | undefined> {
  return (await machine.loads()).find(({ drop }) => drop === name);
}

/** Expects an audit event in every transaction that writes a member's record. */
function expectAudited(calls: readonly string[]): void {
  const bare = calls.find(
    (call) =>
      call.includes('TransactItems') && /"[A-Z]+#PATIENT#/.test(call) && !/"AUDIT#[A-Z]+#PATIENT#/.test(call),
  );
  if (bare !== undefined)
    throw new Error(`a record was written without an audit event: ${bare.slice(0, 300)}`);
}
