import type {
  PayerAnswer,
  PayerRequest,
  PayerServer,
  PayerStream,
} from '../../../lambdas/payer-exchange/runs/run-ports.ts';
import { jsonEntries, jsonMember } from '../../../lambdas/platform/kernel/json-members.ts';

/** A person at the scripted payer: the member number that finds them, their Patient ID there, and their resources. */
export interface PersonThere {
  readonly memberNumber: string;
  readonly patientId: string;
  readonly isConstrained?: boolean;
  resources: readonly Record<string, unknown>[];
}

/** Another payer in memory, which speaks PDex 2.1 or 2.2 and can be made to misbehave. */
export interface ScriptedPayer extends PayerServer {
  readonly requests: PayerRequest[];
  readonly opened: string[];
  version: '2.1' | '2.2';
  people: PersonThere[];
  /** Answers instead of the payer; undefined lets it answer itself. */
  instead: (request: PayerRequest) => PayerAnswer | Error | undefined;
  /** Replaces the lines of an exported file. */
  lines: (type: string, lines: readonly string[]) => readonly string[];
  /** Replaces a manifest. */
  manifest: (manifest: Record<string, unknown>) => unknown;
  /** Makes the bytes that are sent of a file, with their encoding. */
  encode: (file: Buffer) => { readonly bytes: Buffer; readonly encoding?: string };
  /** Bytes after which a download breaks off, once. */
  breaksAt: number | undefined;
}

export const payerBase = 'https://former.example/fhir';
const transactionTime = '2027-01-04T07:00:00.000Z';
const guide = 'http://hl7.org/fhir/us/davinci-pdex';
const answer = (status: number, body: unknown = '', headers: Record<string, string> = {}): PayerAnswer => ({
  status,
  headers: { 'retry-after': '1', ...headers },
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

export function scriptedPayer(people: PersonThere[] = []): ScriptedPayer {
  const files = new Map<string, Buffer>();
  const groups = new Map<string, readonly PersonThere[]>();
  let since: string | undefined;

  function match(body: unknown): void {
    const outcomes = jsonEntries(jsonMember(body, 'parameter')).map((bundle) => {
      const parts = jsonEntries(jsonMember(bundle, 'part'));
      const resource = (name: string) =>
        jsonMember(
          parts.find((part) => jsonMember(part, 'name') === name),
          'resource',
        );
      const patient = resource('MemberPatient');
      const found = payer.people.filter(
        ({ memberNumber }) => memberNumber === jsonMember(resource('CoverageToMatch'), 'subscriberId'),
      );
      const [person] = found;
      const code =
        person === undefined ? 'nomatch' : person.isConstrained === true ? 'consentconstraint' : 'match';
      return { patient, found, code };
    });
    const group = (code: string) => {
      const of = outcomes.filter((each) => each.code === code);
      const id = `group-${code}-${groups.size}`;
      groups.set(
        id,
        of.flatMap(({ found }) => found),
      );
      return {
        resourceType: 'Group',
        id,
        code: { coding: [{ system: `${guide}/CodeSystem/PdexMultiMemberMatchResultCS`, code }] },
        contained: of.map(({ patient }) => patient),
        member: of.flatMap(({ patient, found }) =>
          (found.length === 0 ? [undefined] : found).map((person) => ({
            entity: {
              reference: `Patient/${person?.patientId ?? 'none'}`,
              extension: [
                {
                  url: `${guide}/StructureDefinition/base-ext-match-parameters`,
                  valueReference: { reference: `#${jsonMember(patient, 'id')}` },
                },
              ],
            },
          })),
        ),
      };
    };
    const all = ['match', 'nomatch', 'consentconstraint'].map(group);
    const names = ['MatchedMembers', 'NonMatchedMembers', 'ConsentConstrainedMembers'];
    const text =
      payer.version === '2.2'
        ? all.map((each) => JSON.stringify(each)).join('\n')
        : JSON.stringify({
            resourceType: 'Parameters',
            parameter: all.map(({ code: _, ...resource }, at) => ({ name: names[at], resource })),
          });
    files.set(`${payerBase}/files/match`, Buffer.from(text));
  }

  function exported(groupId: string): unknown {
    const resources = (groups.get(groupId) ?? [])
      .flatMap((person) => person.resources)
      .filter(({ meta }) => since === undefined || String(jsonMember(meta, 'lastUpdated')) > since);
    const byType = Map.groupBy(resources, ({ resourceType }) => String(resourceType));
    const output = [...byType].map(([type, of]) => {
      const url = `${payerBase}/files/${groupId}-${type}`;
      const lines = payer.lines(
        type,
        of.map((resource) => JSON.stringify(resource)),
      );
      files.set(url, Buffer.from(`${lines.join('\n')}\n`));
      return { type, url, count: of.length };
    });
    return payer.manifest({ transactionTime, requiresAccessToken: true, output, error: [] });
  }

  function serve(request: PayerRequest): PayerAnswer {
    const { method } = request;
    const path = request.address.replace(`${payerBase}/`, '');
    if (path === 'Group/$bulk-member-match') {
      match(JSON.parse(request.body ?? ''));
      return answer(202, '', { 'content-location': `${payerBase}/jobs/match` });
    }
    if (path === 'jobs/match') {
      const type = payer.version === '2.2' ? 'Group' : 'Parameters';
      const output = [{ type, url: `${payerBase}/files/match` }];
      return answer(200, { transactionTime, requiresAccessToken: true, output, error: [] });
    }
    const [, groupId = '', operation = ''] = /^Group\/([^/]+)\/(\$[a-z-]+)/.exec(path) ?? [];
    if (operation === '$davinci-data-export' || (operation === '$export' && method === 'GET')) {
      const parameters = jsonEntries(jsonMember(JSON.parse(request.body ?? '{}'), 'parameter'));
      since =
        new URL(`http://x/${path}`).searchParams.get('_since') ??
        (jsonMember(
          parameters.find((each) => jsonMember(each, 'name') === '_since'),
          'valueInstant',
        ) as string | undefined);
      return answer(202, '', { 'content-location': `${payerBase}/jobs/export/${groupId}` });
    }
    const [, exportedGroup] = /^jobs\/export\/(.+)$/.exec(path) ?? [];
    return exportedGroup === undefined ? answer(404) : answer(200, exported(exportedGroup));
  }

  const payer: ScriptedPayer = {
    requests: [],
    opened: [],
    version: '2.2',
    people,
    instead: () => undefined,
    lines: (_type, lines) => lines,
    manifest: (manifest) => manifest,
    encode: (bytes) => ({ bytes }),
    breaksAt: undefined,
    async send(request) {
      payer.requests.push(request);
      const other = payer.instead(request);
      if (other instanceof Error) throw other;
      return other ?? serve(request);
    },
    async open(url, { from }): Promise<PayerStream> {
      payer.opened.push(url);
      const file = files.get(url);
      const close = () => {};
      if (file === undefined) return { status: 404, headers: {}, body: (async function* () {})(), close };
      const { bytes, encoding } = payer.encode(file);
      const headers = encoding === undefined ? {} : { 'content-encoding': encoding };
      const rest = bytes.subarray(from);
      const end = payer.breaksAt;
      payer.breaksAt = undefined;
      return {
        status: from > 0 ? 206 : 200,
        headers,
        close,
        body: (async function* () {
          yield rest.subarray(0, end ?? rest.length);
          if (end !== undefined && end < rest.length) throw new Error('the connection broke');
        })(),
      };
    },
  };
  return payer;
}

/** A claim at the scripted payer, with a practitioner it refers to. */
export function claimThere(id: string, patientId: string, lastUpdated = '2026-12-01T00:00:00.000Z') {
  return {
    resourceType: 'ExplanationOfBenefit',
    id,
    meta: { lastUpdated },
    patient: { reference: `Patient/${patientId}` },
    provider: { reference: 'Practitioner/dr-1' },
  };
}
