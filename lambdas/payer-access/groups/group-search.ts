/** Searches groups of matched members (R4, search.html) by the rules of all searches. An application finds only its own groups. */

import { linesOfBusiness } from '../../catalog/lines-of-business.ts';
import { groupSearchParameters } from '../../catalog/payer/group-search-parameters.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { Criterion } from '../../fhir/query/criteria.ts';
import { parseTokens } from '../../fhir/query/criterion.ts';
import { unknownParameter } from '../../fhir/query/parameters.ts';
import { hasParameter, parseQuery } from '../../fhir/query/query.ts';
import type { SortKey } from '../../fhir/query/result-parameters.ts';
import type { Parameter } from '../../fhir/query/search-issue.ts';
import type { AskedParameter, SearchedType } from '../../fhir/query/searched-types.ts';
import { searchBundle } from '../../fhir/search/bundle.ts';
import { type Candidate, matchesCriteria } from '../../fhir/search/matching.ts';
import { pageOf } from '../../fhir/search/page.ts';
import { pageLinks, readRequestedPage } from '../../fhir/search/paging.ts';
import { subset } from '../../fhir/search/subset.ts';
import type { Token } from '../../fhir/values/expressions.ts';
import { matchGroup, matchResultSystems } from '../permission/match-groups.ts';
import { admitPayer } from '../permission/payer-admission.ts';
import type { PayerGroup } from '../permission/payer-group-port.ts';
import type { GroupAnswer, GroupRequest, GroupRequestDependencies } from './group-requests.ts';

export interface GroupSearch extends GroupRequest {
  /** Parameters of the query and the form body, decoded, in the order sent. */
  readonly parameters: readonly Parameter[];
  /** `Prefer: handling=strict`. */
  readonly strict: boolean;
  /** FHIR base URL, without a trailing slash. */
  readonly base: string;
}

const byReference = 'characteristic-value-reference';

/**
 * Parses an organization's identifier, which the reference parameter is compared with: with R5's modifier `:identifier` or without a
 * modifier.
 */
const byIdentifier = (texts: readonly string[]) => parseTokens({ name: byReference }, false, texts);

const groupSearch: SearchedType<Criterion> = {
  type: 'Group',
  all: { names: ['Group'], of: (type) => (type === 'Group' ? groupSearch : undefined) },
  parameters: groupSearchParameters.map(
    ({ name, type }): AskedParameter<Criterion> =>
      name === byReference
        ? { name, type, targets: [], own: { '': byIdentifier, identifier: byIdentifier } }
        : { name, type },
  ),
  includes: [],
  revIncludes: [],
  sortNames: ['_id', '_lastUpdated'],
};

const newestFirst: readonly SortKey[] = [{ name: '_lastUpdated', descending: true }];

/** Searches the application's own groups. @throws StoreUnavailable */
export async function searchGroups(
  { store, groups, lob, now, sha256 }: Omit<GroupRequestDependencies, 'files'>,
  { context, parameters, strict, base, ...call }: GroupSearch,
): Promise<GroupAnswer> {
  const admission = await admitPayer({ store, now }, context, call, 'Group', 'Patient');
  if (admission.kind === 'refusal') return admission;
  const { organization } = admission;
  const place = {
    request: { parameters, context: { clientId: context.clientId, patientId: '' } },
    search: 'Group',
    url: `${base}/Group`,
    hasParameter: (name: string) => hasParameter(groupSearch, name),
  };
  const asked = readRequestedPage({ sha256 }, place, now());
  if (asked.kind === 'invalid') return asked;
  const parsed = parseQuery(groupSearch, asked.page.parameters, { base, now: asked.page.at, strict });
  if (parsed.kind === 'invalid') return parsed;
  const { criteria, sort = newestFirst, count, selection, used, ignored } = parsed.query;
  const own = await groups.groups(context.clientId);
  const found = own
    .map((group) => candidateOf(group, organization))
    .filter((each) => matchesCriteria(each, criteria));
  const byId = new Map(own.map((group) => [group.groupId, group]));
  const listed = selection.summary === 'count' ? [] : found;
  const page = pageOf(listed, { sort, count, after: asked.page.after });
  const resources = page.matches.flatMap(({ id }) => {
    const group = byId.get(id);
    if (group === undefined) return [];
    const json = subset(JSON.stringify(groupSummary(group, organization, lob)), 'Group', selection);
    return { name: `Group/${id}`, json, mode: 'match' as const };
  });
  const body = searchBundle({
    base,
    ...pageLinks({ sha256 }, place, asked.page, used, page.continuesAfter),
    total: found.length,
    resources,
    warnings: ignored.map((name) => unknownParameter(name, 'Group')),
    now: now(),
  });
  return { kind: 'resource', body };
}

/** A group with its search values. */
function candidateOf(
  { groupId, code, createdAt }: PayerGroup,
  organization: readonly OrganizationIdentifier[],
): Candidate {
  const outcome = matchResultSystems.map((system): Token => [system, code]);
  const identifiers = organization.map(({ system, value }): Token => [system, value]);
  const values = {
    size: 0,
    tokens: {
      identifier: identifiers,
      code: outcome,
      characteristic: outcome,
      [byReference]: identifiers,
    },
    dates: {},
    strings: {},
    references: { [byReference]: organization.map(({ value }) => value) },
  };
  return {
    entry: { resourceType: 'Group', id: groupId, versionId: '1', lastUpdated: createdAt, values },
    values,
  };
}

function groupSummary(
  { groupId, code, quantity, createdAt, expiresAt }: PayerGroup,
  organization: readonly OrganizationIdentifier[],
  lob: GroupRequestDependencies['lob'],
) {
  const head = {
    groupId,
    code,
    organization,
    createdAt,
    planName: linesOfBusiness[lob].name,
    expiresAt: new Date(expiresAt * 1000).toISOString(),
  };
  const group = matchGroup(head, []);
  const tag = [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' }];
  return { ...group, meta: { ...group.meta, tag }, quantity };
}
