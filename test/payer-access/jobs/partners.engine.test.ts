import { afterAll, expect, it } from 'vitest';
import { grantMachineScope } from '../../../lambdas/authorization/token/machine-scope.ts';
import { payerToPayer } from '../../../lambdas/catalog/payer/export-parameters.ts';
import { aClient } from '../../authorization/builders.ts';
import { organization } from '../match-samples.ts';
import { asynchronous, type Manifest, relative } from './jobs-client.ts';
import { startJobsWorld } from './jobs-world.ts';
import { loadMatchableMembers } from './matchable-members.ts';
import { bulkOf, matchingBundle, memberBundle, validConsent } from './member-bundles.ts';

/** Another payer's client by each version of PDex: its scopes, and the form in which it reads the groups of a match. */

const world = await startJobsWorld();
afterAll(() => world.stop());
const members = await loadMatchableMembers(world, 1);

const guide = 'http://hl7.org/fhir/us/davinci-pdex';
const valueSet = `${guide}/ValueSet/PDexMultiMemberMatchResultVS`;
const codeSystem = `${guide}/CodeSystem/PdexMultiMemberMatchResultCS`;
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

interface Group {
  readonly id: string;
  readonly type: string;
  readonly actual: boolean;
  readonly quantity: number;
  readonly meta: { readonly profile: readonly string[] };
  readonly code: { readonly coding: readonly { readonly system: string; readonly code: string }[] };
}

/** The 2.1 client reads one Parameters resource, whose parameters are named; the 2.2 client a file of Groups, told apart by code. */
const versions = [
  {
    version: '2.1',
    scope: `${guide}/OperationDefinition/bulk-member-match system/Group.$davinci-data-export`,
    type: 'Parameters',
    groups: (text: string): ReadonlyMap<string, Group> =>
      new Map(
        linesOf(text)[0].parameter.map((each: { name: string; resource: Group }) => [
          each.name,
          each.resource,
        ]),
      ),
    names: ['MatchedMembers', 'NonMatchedMembers', 'ConsentConstrainedMembers'],
  },
  {
    version: '2.2',
    scope: `${guide}/OperationDefinition/BulkMemberMatch system.Group.u?code=${valueSet}|match`,
    type: 'Group',
    groups: (text: string): ReadonlyMap<string, Group> =>
      new Map(linesOf(text).map((group: Group) => [group.code.coding[0]?.code ?? '', group])),
    names: ['match', 'nomatch', 'consentconstraint'],
  },
] as const;

it.each(versions)('a client of PDex $version matches members, reads their groups and exports them', async ({
  scope: asked,
  type,
  groups,
  names,
}) => {
  const client = aClient({
    tokenEndpointAuthMethod: 'private_key_jwt',
    products: ['payer-access'],
    organization,
  });
  const token = grantMachineScope(client, asked, 'sandbox-resource');
  if (token.kind !== 'scope') throw new Error(`the token is refused: ${JSON.stringify(token)}`);
  const authorizer = { scope: token.scope };
  const job = async (path: string, body: string): Promise<Manifest> => {
    const begun = await world.call({ method: 'POST', path, body, headers: asynchronous, authorizer });
    expect(begun.statusCode, begun.body).toBe(202);
    await world.run();
    const status = relative(String(begun.headers?.['Content-Location']));
    const answer = await world.call({ path: status, authorizer });
    expect(answer.statusCode, answer.body).toBe(200);
    return JSON.parse(answer.body);
  };
  const download = async ({ output }: Manifest, of: string): Promise<string> => {
    const file = output.find((each) => each.type === of);
    const answer = await world.call({ path: relative(file?.url ?? ''), authorizer });
    expect(answer.statusCode, answer.body).toBe(307);
    return await world.text(new URL(String(answer.headers?.Location)).pathname.replace(/^\/(jobs\/)?/, ''));
  };
  const known = members.map(matchingBundle);
  const expired = { ...validConsent.provision, period: { start: '2020-01-01', end: '2020-12-31' } };
  const matched = await job(
    'Group/$bulk-member-match',
    bulkOf(
      ...known,
      memberBundle('NOBODY-1'),
      memberBundle('NOBODY-2', { consent: { ...validConsent, provision: expired } }),
    ),
  );
  const found = groups(await download(matched, type));
  expect([...found.keys()]).toEqual(names);
  const [match, nomatch, constrained] = [...found.values()];
  expect([...found.values()].map(({ quantity }) => quantity)).toEqual([1, 1, 1]);
  for (const group of found.values()) expect(group).toMatchObject({ type: 'person', actual: true });
  const profiles = ['pdex-member-match-group', 'pdex-member-no-match-group', 'pdex-member-no-match-group'];
  expect([match, nomatch, constrained].map((group) => group?.meta.profile)).toEqual(
    profiles.map((profile) => [`${guide}/StructureDefinition/${profile}`]),
  );
  for (const system of [codeSystem, valueSet]) {
    const query = { code: `${system}|match`, _id: match?.id ?? '' };
    const search = await world.call({ path: 'Group', query, authorizer });
    expect(JSON.parse(search.body), search.body).toMatchObject({ total: 1 });
  }
  const body = JSON.stringify({
    resourceType: 'Parameters',
    parameter: [{ name: 'exportType', valueString: payerToPayer }],
  });
  const exported = await job(`Group/${match?.id}/$davinci-data-export`, body);
  expect(exported.error).toEqual([]);
  const types = exported.output.map((each) => each.type);
  expect(types).toEqual(expect.arrayContaining(['Patient', 'Coverage', 'ExplanationOfBenefit']));
  const uses = linesOf(await download(exported, 'ExplanationOfBenefit')).map(({ use }) => use);
  expect(new Set(uses)).toContain('claim');
});
