/** Commands `payers …`: other payers, whom this plan asks for members' data. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type OrganizationIdentifier,
  organizationIdentifierKinds,
  readOrganizationIdentifier,
} from '../lambdas/catalog/payer/organization-identifiers.ts';
import { otherPayerLimits, payerFaultWords } from '../lambdas/catalog/payer/other-payers.ts';
import { payersInBundle } from '../lambdas/payer-exchange/payers/endpoint-bundle-contract.ts';
import {
  type OtherPayerAnswer,
  type OtherPayerOperation,
  type OtherPayerRefusal,
  type OtherPayerSummary,
  otherPayerOperation,
} from '../lambdas/payer-exchange/payers/other-payer-operations-contract.ts';
import { jsonValue } from '../lambdas/platform/kernel/json-members.ts';
import { withoutControls } from '../lambdas/platform/kernel/without-controls.ts';
import type { CommandGroup } from './command-line/command.ts';
import { linesOfBusinessOf, listed, UsageError } from './command-line/command-line.ts';
import { isConfirmed } from './command-line/confirm.ts';
import { askerOf, type CommandContext, dryRunOptions, isDryRun } from './command-line/operation.ts';
import type { OptionName } from './command-line/options.ts';
import { pairs, table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';

const identifierOptions = ['naic', 'npi', 'oid'] as const satisfies readonly OptionName[];
const elementOptions: readonly OptionName[] = [
  ...(['name', 'base', 'token-endpoint', 'client', 'scope', 'pdex', 'contact'] as const),
  ...identifierOptions,
  ...(['lob', 'header', 'header-file'] as const),
];
const ownName = { name: { about: 'name of the payer' }, client: { about: 'our client ID there' } };

/** `payers …` */
export const payerCommands: CommandGroup = {
  name: 'payers',
  about:
    'Other payers, whom this plan asks for members’ data. Nothing is sent to a payer before it is active.',
  commands: [
    {
      name: 'list',
      about: 'Lists payers with state, version, last test and members waiting.',
      options: dryRunOptions,
      run: list,
    },
    {
      name: 'show <payer>',
      about: 'Shows a payer, what was found otherwise, and its last tests.',
      options: dryRunOptions,
      run: show,
    },
    {
      name: 'discover <address>',
      about: 'Finds payers at a plan’s address or FHIR base, and proposes them.',
      options: [...identifierOptions, ...dryRunOptions],
      run: discover,
    },
    {
      name: 'import',
      about: 'Proposes the payers of a national directory’s Bundle of Endpoints.',
      options: ['file', ...dryRunOptions],
      own: { file: { about: 'a Bundle (JSON) with Endpoint and Organization resources' } },
      run: importBundle,
    },
    {
      name: 'add <payer>',
      about: 'Adds a payer under an ID, as a proposal.',
      options: [...elementOptions, ...dryRunOptions],
      own: ownName,
      run: add,
    },
    {
      name: 'update <payer>',
      about: 'Changes elements of a payer, or takes over what was found.',
      options: [...elementOptions, 'accept-found', ...dryRunOptions],
      own: ownName,
      run: update,
    },
    {
      name: 'test <payer>',
      about: 'Tests its SMART configuration and CapabilityStatement, and keeps the result.',
      options: dryRunOptions,
      failure: 'refused, or the test failed',
      run: test,
    },
    change('activate', 'Activates a payer: members are asked about there from now on.'),
    change('suspend', 'Suspends a payer: nothing is sent to it.'),
    { ...change('remove', 'Removes a payer that is not active.'), options: ['yes', ...dryRunOptions] },
  ],
};

const ask = askerOf<OtherPayerOperation, OtherPayerAnswer>('exchangeOperations', refusalWords);

function refusalWords(refusal: OtherPayerRefusal): string {
  switch (refusal.reason) {
    case 'no_such_payer':
      return 'no such payer; payers list shows them';
    case 'not_in_this_state':
      return 'the payer is not in a state for this; payers show has its state';
    case 'changed_since':
      return 'a payer was changed at the same time; repeat the command';
    case 'already_known':
      return `the ID, the base or an identifier belongs to ${refusal.payerIds.join(', ')}`;
    case 'invalid':
      return refusal.faults.map(({ field, expected }) => `${field}: ${expected}`).join(' ');
  }
}

/** A request by the contract, with an error for an invalid option. */
function validated(request: OtherPayerOperation): OtherPayerOperation {
  const parsed = otherPayerOperation.safeParse(request);
  if (parsed.success) return request;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${String(issue?.path.at(-1) ?? 'the request')} is invalid: ${issue?.message ?? ''}`);
}

async function list(operation: CommandContext): Promise<ExitCode> {
  const request = { action: 'list-payers' } as const;
  if (isDryRun(operation, request)) return 0;
  const answer = await ask(operation, request, 'payers');
  if (answer === undefined) return 1;
  const { print, values } = operation;
  if (values.json === true) print(JSON.stringify(answer.payers));
  else {
    const rows = answer.payers.map((payer) => [
      payer.payerId,
      payer.state,
      payer.version,
      lastTest(payer),
      `${payer.waiting}`,
      payer.name,
    ]);
    print(withoutControls(table(['PAYER', 'STATE', 'PDEX', 'LAST TEST', 'WAITING', 'NAME'], rows)));
  }
  return 0;
}

function lastTest({ checks: [last] }: OtherPayerSummary): string {
  return last === undefined ? 'none' : `${last.outcome} ${last.at.slice(0, 16)}Z`;
}

async function show(operation: CommandContext): Promise<ExitCode> {
  const request = validated({ action: 'show-payer', payerId: operation.words[0] ?? '' });
  if (isDryRun(operation, request)) return 0;
  const answer = await ask(operation, request, 'payer');
  return answer === undefined ? 1 : printPayer(operation, answer.payer);
}

function printPayer({ print, values }: CommandContext, payer: OtherPayerSummary): ExitCode {
  if (values.json === true) {
    print(JSON.stringify(payer));
    return 0;
  }
  const { differences, checks, found: _found, identifiers, ...elements } = payer;
  const shown = { ...elements, identifiers: identifiers.map(({ system, value }) => `${system}|${value}`) };
  const entries = Object.entries(shown).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as const],
  );
  print(withoutControls(pairs(entries)));
  if (differences.length > 0) {
    const rows = differences.map(({ field, kept, found }) => [field, kept, found]);
    print(withoutControls(`\n${table(['DIFFERENT', 'KEPT', 'FOUND'], rows)}`));
  }
  if (checks.length > 0) {
    const rows = checks.map(({ at, step, outcome, fault }) => [
      ...[at, step, outcome],
      fault === undefined ? '' : payerFaultWords(fault),
    ]);
    print(withoutControls(`\n${table(['TESTED', 'STEP', 'OUTCOME', 'REASON'], rows)}`));
  }
  return 0;
}

async function discover(operation: CommandContext): Promise<ExitCode> {
  const [address = ''] = operation.words;
  const identifiers = identifiersOf(operation);
  return await propose(operation, [
    validated({ action: 'discover-payers', address, identifiers, requestId: randomUUID() }),
  ]);
}

async function importBundle(operation: CommandContext): Promise<ExitCode> {
  const { file } = operation.values;
  if (file === undefined) throw new UsageError('import needs --file');
  const found = payersInBundle(jsonValue(readText(file)));
  if (found === undefined) throw new UsageError(`${file} is no Bundle`);
  operation.note(`${found.payers.length} Endpoints for other payers; ${found.others} others are left out`);
  const requests = [];
  for (let from = 0; from < found.payers.length; from += otherPayerLimits.payersInImport) {
    const payers = found.payers.slice(from, from + otherPayerLimits.payersInImport).map((payer) => ({
      ...payer,
      identifiers: [...payer.identifiers],
    }));
    requests.push(validated({ action: 'import-payers', payers, requestId: randomUUID() }));
  }
  return await propose(operation, requests);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
}

async function propose(
  operation: CommandContext,
  requests: readonly OtherPayerOperation[],
): Promise<ExitCode> {
  const { print, values } = operation;
  let isRefused = false;
  for (const request of requests) {
    if (isDryRun(operation, request)) continue;
    const answer = await ask(operation, request, 'proposed');
    if (answer === undefined) return 1;
    isRefused ||= answer.faults.length > 0;
    if (values.json === true) {
      print(JSON.stringify({ payers: answer.payers, faults: answer.faults }));
      continue;
    }
    for (const { payer, outcome } of answer.payers) {
      const differences = payer.differences.length === 0 ? '' : `, ${payer.differences.length} differences`;
      print(withoutControls(`${outcome}: ${payer.payerId} (${payer.state}${differences}) ${payer.fhirBase}`));
    }
    for (const fault of answer.faults) print(withoutControls(`refused: ${payerFaultWords(fault)}`));
  }
  return isRefused ? 1 : 0;
}

function identifiersOf({ values }: CommandContext): OrganizationIdentifier[] {
  return identifierOptions.flatMap((kind) =>
    listed(values[kind] ?? []).map((text) => {
      const identifier = readOrganizationIdentifier(kind, text);
      if (identifier === undefined) {
        throw new UsageError(`--${kind} ${text} is no ${organizationIdentifierKinds[kind].name}`);
      }
      return identifier;
    }),
  );
}

/** The elements that the options have. */
function elementsOf(operation: CommandContext) {
  const { values } = operation;
  const identifiers = identifiersOf(operation);
  const [headerName, headerFile] = [values.header, values['header-file']];
  if ((headerName === undefined) !== (headerFile === undefined)) {
    throw new UsageError('--header and --header-file belong together');
  }
  const given = {
    name: values.name,
    fhirBase: values.base,
    tokenEndpoint: values['token-endpoint'],
    clientId: values.client,
    scopes: values.scope,
    version: values.pdex,
    contact: values.contact,
    identifiers: identifiers.length === 0 ? undefined : identifiers,
    linesOfBusiness: values.lob === undefined ? undefined : linesOfBusinessOf(values.lob),
    header:
      headerName === undefined || headerFile === undefined
        ? undefined
        : { name: headerName, value: readText(headerFile).trim() },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function add(operation: CommandContext): Promise<ExitCode> {
  const payer = { identifiers: [], ...elementsOf(operation) };
  const request = validated({
    action: 'add-payer',
    payerId: operation.words[0] ?? '',
    payer,
    requestId: randomUUID(),
  } as unknown as OtherPayerOperation);
  if (isDryRun(operation, request)) return 0;
  const answer = await ask(operation, request, 'payer');
  return answer === undefined ? 1 : printPayer(operation, answer.payer);
}

/** The payer's current revision, which a change names. */
async function revisionOf(operation: CommandContext, payerId: string): Promise<number | undefined> {
  const answer = await ask(operation, validated({ action: 'show-payer', payerId }), 'payer');
  return answer?.payer.revision;
}

async function update(operation: CommandContext): Promise<ExitCode> {
  const payerId = operation.words[0] ?? '';
  const changes = elementsOf(operation);
  const acceptFound = operation.values['accept-found'];
  if (Object.keys(changes).length === 0 && acceptFound !== true) throw new UsageError('nothing to change');
  const revision = await revisionOf(operation, payerId);
  if (revision === undefined) return 1;
  const request = validated({
    ...{ action: 'update-payer', payerId, revision, changes, requestId: randomUUID() },
    ...(acceptFound === true && { acceptFound }),
  } as OtherPayerOperation);
  if (isDryRun(operation, request)) return 0;
  const answer = await ask(operation, request, 'payer');
  return answer === undefined ? 1 : printPayer(operation, answer.payer);
}

async function test(operation: CommandContext): Promise<ExitCode> {
  const request = validated({ action: 'test-payer', payerId: operation.words[0] ?? '' });
  if (isDryRun(operation, request)) return 0;
  const answer = await ask(operation, request, 'tested');
  if (answer === undefined) return 1;
  const { print, values } = operation;
  const { outcome, step, fault } = answer.check;
  if (values.json === true) print(JSON.stringify(answer.check));
  else if (fault === undefined) print(`${outcome}: SMART configuration and CapabilityStatement`);
  else print(withoutControls(`${outcome} at ${step}: ${payerFaultWords(fault)}`));
  return outcome === 'passed' ? 0 : 1;
}

function change(act: 'activate' | 'suspend' | 'remove', about: string) {
  return {
    name: `${act} <payer>`,
    about,
    options: dryRunOptions,
    run: async (operation: CommandContext): Promise<ExitCode> => {
      const payerId = operation.words[0] ?? '';
      const revision = await revisionOf(operation, payerId);
      if (revision === undefined) return 1;
      const request = validated({ action: `${act}-payer`, payerId, revision, requestId: randomUUID() });
      if (isDryRun(operation, request)) return 0;
      if (act === 'remove') {
        if (!(await isConfirmed(operation, `Remove ${payerId} from the table?`))) return 1;
        const removed = await ask(operation, request, 'removed');
        if (removed === undefined) return 1;
        operation.print(operation.values.json === true ? JSON.stringify(removed) : `${payerId} is removed`);
        return 0;
      }
      const answer = await ask(operation, request, 'payer');
      return answer === undefined ? 1 : printPayer(operation, answer.payer);
    },
  };
}
