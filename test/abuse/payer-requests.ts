/**
 * Makes a request of each Payer Access operation for one payer's matched member, group and jobs. The operations are those of the table of
 * routes.
 */

import { type PatientAccessType, servedResource } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { type FhirOperation, type FhirRoute, fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { interfaces, servedResources } from '../../lambdas/catalog/fhir/interfaces.ts';
import { payerToPayer } from '../../lambdas/catalog/payer/export-parameters.ts';
import { bulkOf } from '../payer-access/jobs/member-bundles.ts';

/** A payer's matched member, group and jobs, which other callers request. */
export interface PayerHoldings {
  readonly patientId: string;
  /** IDs of the member's resources by type, for searches by `_id`. */
  readonly ids: ReadonlyMap<string, string>;
  readonly groupId: string;
  /** IDs of complete jobs. */
  readonly exportJob: string;
  readonly matchJob: string;
  /** Name of a file of the export. */
  readonly file: string;
  /** A MemberBundle that matches a member for this payer alone. */
  readonly bundle: { readonly name: string; readonly part: readonly object[] };
}

/** Groups of operations: a caller gets the same status for all operations of a group. */
export type OperationKind =
  | 'member'
  | 'match'
  | 'bulk'
  | 'group'
  | 'groups'
  | 'export'
  | 'status'
  | 'file'
  | 'cancel';

/** A request to Payer Access. The path is relative to the interface's base. */
export interface PayerRequest {
  readonly operation: FhirOperation;
  readonly kind: OperationKind;
  readonly method: FhirRoute['method'];
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Case {
  readonly kind: OperationKind;
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** Parameters of the query; a search by POST sends them as a form, an operation by POST in its body. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

type Cases = Readonly<Partial<Record<FhirOperation, (of: PayerHoldings) => readonly Case[]>>>;

const parameters = (...parameter: readonly object[]) => ({ resourceType: 'Parameters', parameter });
const exportBody = parameters({ name: 'exportType', valueString: payerToPayer });

/** Cases of all operations except searches, which are generated for each type. */
const cases: Cases = {
  'Patient.read': ({ patientId: id }) => [{ kind: 'member', path: { id } }],
  'Patient.everything': ({ patientId: id }) => [{ kind: 'member', path: { id }, body: parameters() }],
  'Patient.member-match': ({ bundle }) => [{ kind: 'match', body: parameters(...bundle.part) }],
  'Group.bulk-member-match': ({ bundle }) => [{ kind: 'bulk', body: bulkOf(bundle) }],
  'Group.davinci-data-export': ({ groupId: id }) => [
    { kind: 'export', path: { id }, query: { exportType: payerToPayer }, body: exportBody },
  ],
  'Group.export': ({ groupId: id }) => [{ kind: 'export', path: { id }, body: parameters() }],
  'Group.read': ({ groupId: id }) => [{ kind: 'group', path: { id } }],
  'Group.search-type': ({ groupId }) => [{ kind: 'groups' }, { kind: 'groups', query: { _id: groupId } }],
  'job-status': ({ exportJob, matchJob }) =>
    [exportJob, matchJob].map((job) => ({ kind: 'status', path: { job } })),
  'job-file': ({ exportJob: job, file }) => [{ kind: 'file', path: { job, file } }],
  'job-cancel': ({ exportJob: job }) => [{ kind: 'cancel', path: { job } }],
};

const typesOfMembers = servedResources('payer-access').map(([type]) => type as string);

function casesOf(operation: FhirOperation, of: PayerHoldings): readonly Case[] {
  const listed = cases[operation];
  if (listed !== undefined) return listed(of);
  const [type = '', interaction] = operation.split('.');
  if (!typesOfMembers.includes(type)) {
    throw new Error(`the operation ${operation} has no case here: add one`);
  }
  const { patientId } = of;
  if (type === 'Patient') return [{ kind: 'member', query: { _id: patientId } }];
  const id = of.ids.get(type);
  if (interaction === 'read') return id === undefined ? [] : [{ kind: 'member', path: { id } }];
  const named = servedResource(type as PatientAccessType).searchParameters.some(
    ({ name }) => name === 'patient',
  );
  // A search for a shared resource such as Organization covers all matched members.
  if (!named) return [];
  return [
    { kind: 'member', query: { patient: patientId } },
    ...(id === undefined
      ? []
      : [{ kind: 'member', query: { patient: `Patient/${patientId}`, _id: id } } as const]),
  ];
}

const { basePath } = interfaces['payer-access'];

/**
 * Returns the requests of every operation that needs a token, cancellations last.
 *
 * @throws Error for an operation without a case.
 */
export function payerRequests(of: PayerHoldings): readonly PayerRequest[] {
  const routes = fhirRoutes.filter((each) => each.interface === 'payer-access' && each.access !== 'public');
  const all = routes.flatMap((route) => casesOf(route.operation, of).map((each) => requestOf(route, each)));
  return all.sort((one, other) => Number(one.kind === 'cancel') - Number(other.kind === 'cancel'));
}

function requestOf(
  { method, path, operation }: FhirRoute,
  { kind, query = {}, body, ...rest }: Case,
): PayerRequest {
  const filled = path
    .slice(basePath.length + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => rest.path?.[name] ?? '');
  const common = { operation, kind, method, path: filled };
  const headers = { Prefer: 'respond-async' };
  if (method !== 'POST') return { ...common, query, headers };
  if (path.endsWith('/_search')) {
    const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
    return { ...common, query: {}, headers: form, body: new URLSearchParams(query).toString() };
  }
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    ...common,
    query: {},
    headers: { ...headers, 'Content-Type': 'application/fhir+json' },
    body: sent,
  };
}

/** Texts that are in a member's record and in no other: IDs, names, identifiers, addresses and all other strings that can identify it. */
export function textsOf(
  record: readonly { readonly json: string }[],
  others: readonly { readonly json: string }[],
): readonly string[] {
  const common = new Set(others.flatMap(({ json }) => leavesOf(JSON.parse(json))));
  const own = new Set(record.flatMap(({ json }) => leavesOf(JSON.parse(json))));
  return [...own].filter((text) => !common.has(text) && isTelling(text));
}

/**
 * Whether a text can identify a record. Code words, years and dates of service and short texts can't: other responses contain them as well.
 */
function isTelling(text: string): boolean {
  if (/^([a-z-]+|20\d\d(-\d\d(-\d\d)?)?)$/.test(text)) return false;
  return text.length >= (/[g-z ]/i.test(text) ? 4 : 10);
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** The first of the texts that is in the response and not in the request; undefined if there is none. */
export function leakIn(response: object, sent: object, texts: readonly string[]): string | undefined {
  const [answer, asked] = [JSON.stringify(response), JSON.stringify(sent)];
  return texts.find((text) => {
    const written = JSON.stringify(text).slice(1, -1);
    // The body of a response is a JSON string inside the JSON of the event, so that quotes may be escaped twice.
    const isSent = [written, JSON.stringify(written).slice(1, -1), encodeURIComponent(text)].some((each) =>
      asked.includes(each),
    );
    return !isSent && (answer.includes(written) || answer.includes(JSON.stringify(written).slice(1, -1)));
  });
}
