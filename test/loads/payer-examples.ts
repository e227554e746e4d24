import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { jsonEntries, jsonMember } from '../../lambdas/platform/kernel/json-members.ts';
import { table } from '../../ops/command-line/table.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { personOf, validConsent } from '../payer-access/jobs/member-bundles.ts';
import { organization } from '../payer-access/match-samples.ts';
import { partnerOf, registerPartner } from '../support/payer-partner.ts';
import { startRunningSystem } from '../support/running-system.ts';

/**
 * `npm run examples:payer -- --folder FOLDER [--out FILE]`: sends the official inputs of HRex's and PDex's match operations to a running
 * system, unchanged and adapted to a member of the sandbox, and prints which are accepted and why others are not.
 *
 * FOLDER has the files `<package>#<version>.ndjson.gz`, one resource a line. An adapted input has the member's name, birth date, gender and
 * number, one ID of its Patient, and the period, recipient and Patient of its Consent. FILE receives the answers, one resource a line, for
 * a validator.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(repositoryRoot, '..', 'shared', 'conformance', 'examples') },
    out: { type: 'string' },
  },
});
const guides = { HRex: '.davinci-hrex#1.0.0.ndjson.gz', PDex: '.davinci-pdex#2.2.0.ndjson.gz' };
const lob: LineOfBusiness = 'DSNP';
/** IDs of the operations' inputs; the examples of outputs are Parameters too. */
const inputIds = /-(in|in-provider|request-\d+)$/;

interface Part {
  readonly name: string;
  readonly resource?: object;
  readonly part?: readonly Part[];
}
interface Input {
  readonly guide: string;
  readonly id: string;
  readonly parameter: readonly Part[];
}

const inputs = Object.entries(guides).flatMap(([guide, suffix]) => inputsOf(guide, suffix));
if (inputs.length === 0) {
  console.error(`there is no folder ${values.folder} with the examples of HRex 1.0.0 and PDex 2.2.0`);
  process.exit(2);
}
const member = syntheticMembers('sandbox').find((each) => each.lob === lob);
if (member === undefined) throw new Error(`the sandbox of ${lob} has no member`);
const { memberId } = member;
const person = personOf(member);
const answers: string[] = [];
const system = await startRunningSystem();
try {
  const partner = partnerOf(await registerPartner(system.system, lob, organization));
  const rows: (readonly string[])[] = [];
  for (const input of inputs) {
    const own = { ...input, parameter: input.parameter.map(forMember) };
    const row = [input.guide, input.id, await outcomeOf(partner, input), await outcomeOf(partner, own)];
    rows.push(row);
  }
  console.log(table(['guide', 'example', 'as it is', 'with a member of the sandbox'], rows));
  if (values.out !== undefined) writeFileSync(values.out, answers.map((line) => `${line}\n`).join(''));
} finally {
  await system.stop();
}

function inputsOf(guide: string, suffix: string): readonly Input[] {
  const file = existsSync(values.folder)
    ? readdirSync(values.folder).find((name) => name.endsWith(suffix))
    : undefined;
  if (file === undefined) return [];
  return gunzipSync(readFileSync(join(values.folder, file)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ resourceType, id }) => resourceType === 'Parameters' && inputIds.test(id))
    .map((resource) => ({ ...resource, guide }));
}

/** Adapts a parameter to the member of the sandbox and to the requesting organization. */
function forMember({ name, resource, part }: Part): Part {
  if (part !== undefined) return { name, part: part.map(forMember) };
  const beneficiary = { reference: 'Patient/1' };
  const { period, actor } = validConsent.provision;
  switch (name) {
    case 'MemberPatient':
      return { name, resource: { ...resource, ...person, id: '1', identifier: [{ value: memberId }] } };
    case 'CoverageToMatch':
      return { name, resource: { ...resource, subscriberId: memberId, beneficiary, identifier: undefined } };
    case 'Consent': {
      const provision = { ...(jsonMember(resource, 'provision') as object), period, actor };
      return { name, resource: { ...resource, patient: beneficiary, provision } };
    }
    default:
      return { name, ...(resource !== undefined && { resource }) };
  }
}

/**
 * Sends an input to its operation.
 *
 * @returns a description of the answer
 */
async function outcomeOf(
  partner: ReturnType<typeof partnerOf>,
  { parameter }: Pick<Input, 'parameter'>,
): Promise<string> {
  const body = { resourceType: 'Parameters', parameter };
  const isBulk = parameter.some(({ part }) => part !== undefined);
  const answer = isBulk
    ? await partner.begin('Group/$bulk-member-match', body)
    : await partner.post('Patient/$member-match', body);
  if (answer.body !== '') answers.push(answer.body);
  if (answer.status >= 400) return `${answer.status}: ${diagnosticsOf(JSON.parse(answer.body))}`;
  if (!isBulk) {
    const names = jsonEntries(jsonMember(JSON.parse(answer.body), 'parameter'));
    return `${answer.status}: ${names.map((each) => jsonMember(each, 'name')).join(', ')}`;
  }
  const { manifest } = await partner.finish(answer);
  const files = await partner.files([...manifest.output, ...manifest.error]);
  const resources = files.flatMap((file) => file.resources);
  for (const resource of resources) answers.push(JSON.stringify(resource));
  const found = resources.flatMap((resource) => {
    if (resource.resourceType === 'OperationOutcome') return [diagnosticsOf(resource)];
    if (resource.resourceType !== 'Group') return [];
    const [coding] = jsonEntries(jsonMember(resource.code, 'coding'));
    return [`${String(jsonMember(coding, 'code'))} ${String(resource.quantity)}`];
  });
  return `${answer.status}: ${found.join(', ')}`;
}

function diagnosticsOf(outcome: unknown): string {
  return jsonEntries(jsonMember(outcome, 'issue'))
    .map((issue) => String(jsonMember(issue, 'diagnostics')))
    .join(' ');
}
