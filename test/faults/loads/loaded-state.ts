import { createHash } from 'node:crypto';
import { createPatientCompartment } from '../../../lambdas/fhir/store/resource-store.ts';
import { type LoadCounts, rowsIn } from '../../../lambdas/loads/ledger/load.ts';
import { queryAll } from '../../../lambdas/platform/table/query-all.ts';
import type { Item, Table } from '../../../lambdas/platform/table/table.ts';
import {
  memberIdKey,
  patientAuditPartition,
  patientPartition,
  sharedResourceKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { changeParameters, claim, coverage, organization, patient } from '../../loads/drop-rows.ts';
import { readSearchValues } from '../../support/read-search-values.ts';

/** A drop whose IDs begin with its name. Drops whose names are equally long leave the same state except for the name. */
export interface NamedDrop {
  readonly name: string;
  /**
   * Number of groups of four members. In each, the first member has a claim withdrawn and moves, the second is withdrawn, and the third is
   * merged into the fourth.
   */
  readonly groups: number;
}

export interface DropFile {
  readonly name: string;
  readonly type: string;
  readonly rows: number;
  readonly sha256: string;
  readonly text: string;
}

/**
 * The files of a drop, with rows that load, rows that are rejected, rows whose references are resolved at the second look, and every kind
 * of change.
 */
export function filesOf(drop: NamedDrop): readonly DropFile[] {
  const insurer = `Organization/${sharedId(drop)}`;
  const patients = patientsOf(drop);
  const rowsByType = {
    Organization: [organization(sharedId(drop))],
    Patient: patients.map((each) => patient(each, memberIdOf(each))),
    Coverage: [
      ...patients.map((each) => coverage(each, 'v')),
      coverage(`${drop.name}-nobody`, 'v'),
      '{"resourceType":',
    ],
    ExplanationOfBenefit: patients.flatMap((each) => [
      claim(each, 'e1', { insurer, coverage: 'Coverage/v' }),
      // Refers to a later row of the same wave, so it is resolved at the second look at the latest.
      claim(each, 'e2', { insurer, evidence: 'ExplanationOfBenefit/e3' }),
      claim(each, 'e3', { says: 'x'.repeat(300) }),
    ]),
    Parameters: inGroups(patients).flatMap(([a = '', b = '', c = '', d = '']) => [
      changeParameters({ withdraw: 'ExplanationOfBenefit/e1', patient: `Patient/${a}` }),
      changeParameters({ withdraw: `Patient/${b}` }),
      changeParameters({ move: `Patient/${a}`, successor: 'Patient/q' }, 'MAPD'),
      changeParameters({ 'source-patient': `Patient/${c}`, 'target-patient': `Patient/${d}` }),
    ]),
  };
  return Object.entries(rowsByType).map(([type, rows]) => {
    const text = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { name: `${type}.ndjson`, type, rows: rows.length, sha256, text };
  });
}

/** The manifest of these files. */
export function manifestOf(files: readonly DropFile[]): string {
  const entries = files.map(({ text: _text, ...entry }) => entry);
  const createdAt = '2026-11-22T02:00:00Z';
  return JSON.stringify({ lob: 'DSNP', source: 'claims', kind: 'delta', createdAt, files: entries });
}

export const folderOf = ({ name }: NamedDrop) => `DSNP/claims/${name}/`;

function patientsOf({ name, groups }: NamedDrop): readonly string[] {
  return Array.from({ length: groups }, (_, group) =>
    ['a', 'b', 'c', 'd'].map((each) => `${name}-${each}${group}`),
  ).flat();
}

function inGroups(patients: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: patients.length / 4 }, (_, at) => patients.slice(at * 4, at * 4 + 4));
}

const memberIdOf = (patientId: string) => `M-${patientId}`;
const sharedId = ({ name }: NamedDrop) => `${name}-o`;

type FileCounts = Readonly<Record<string, number | string>>;

/** State after a load without the drop's name: the records, the report, the ledger and the audit trail. */
export interface LoadedState {
  readonly items: unknown;
  readonly counts: unknown;
  readonly rejects: readonly string[];
  readonly audited: unknown;
}

/** @param counted counts that the ledger has for the load. */
export async function loadedState(
  table: Table,
  readText: (key: string) => Promise<string | undefined>,
  drop: NamedDrop,
  counted: LoadCounts | undefined,
): Promise<LoadedState> {
  const report = JSON.parse((await readText(`${folderOf(drop)}report.json`)) ?? '{}');
  const { state, controlTotal, loaded, unchanged, rejected } = report;
  const own = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(drop.name, 'name'));
  return {
    items: own(await itemsOf(table, drop)),
    counts: {
      ...{ state, controlTotal, loaded, unchanged, rejected },
      inLedger: counted === undefined ? 0 : rowsIn(counted),
      files: report.files.map(({ name, controlTotal, loaded, unchanged, older, rejected }: FileCounts) => [
        ...[name, controlTotal, loaded, unchanged, older, rejected],
      ]),
    },
    rejects: own(await rejectsOf(readText, report.files)),
    audited: own(await auditedOf(table, drop)),
  };
}

async function rejectsOf(
  readText: (key: string) => Promise<string | undefined>,
  files: readonly { readonly rejects: readonly string[] }[],
): Promise<readonly string[]> {
  const texts = await Promise.all(files.flatMap(({ rejects }) => rejects).map((key) => readText(key)));
  return texts.flatMap((text) => (text ?? '').trim().split('\n'));
}

/**
 * Items of the drop's members, without values that differ in each load: times, digests of rows (which include IDs), and encrypted contact
 * data.
 */
async function itemsOf(table: Table, drop: NamedDrop): Promise<readonly Item[]> {
  const patients = patientsOf(drop);
  const records = await Promise.all(
    patients.map(async (each) => {
      const items = await queryAll(table, patientPartition('DSNP', each));
      // Left out: in which part of the index a resource is depends on its ID, which contains the drop's name.
      return [
        ...items.filter(({ sk }) => !/^(?:INDEX|LINKS)#/.test(String(sk))),
        ...(await indexOf(table, each)),
      ];
    }),
  );
  const others = await Promise.all(
    [
      ...patients.map((each) => memberIdKey('DSNP', memberIdOf(each))),
      sharedResourceKey('DSNP', 'Organization', sharedId(drop)),
    ].map((key) => table.get(key)),
  );
  return [...records.flat(), ...others].map((item) => {
    const { content, contact, loadedAt: _at, row: _place, valuesDigest: _values, ...rest } = item ?? {};
    return { ...rest, hasDigest: content !== undefined, hasContact: contact !== undefined };
  });
}

/** For each Patient the distinct actions, outcomes and resources in its audit events: a repeated step may record a resource again. */
async function auditedOf(table: Table, drop: NamedDrop): Promise<unknown> {
  return await Promise.all(
    patientsOf(drop).map(async (each) => {
      const events = await queryAll(table, patientAuditPartition('DSNP', each));
      const told = events.flatMap(({ action, outcome, resources }) =>
        ['', resources ?? []].flat().map((one) => `${String(action)} ${String(outcome)} ${String(one)}`),
      );
      return [...new Set(told)].sort();
    }),
  );
}

/** The search index of a patient, as searches read it. */
async function indexOf(table: Table, patientId: string): Promise<readonly Item[]> {
  const asked = { resourceType: undefined, references: true };
  const { entries } = await createPatientCompartment(table, 'DSNP').entries(patientId, 'none', asked);
  const found = entries.map(({ resourceType, id, versionId, values }) => ({
    ...{ found: `${patientId} ${resourceType}/${id}`, versionId },
    values: readSearchValues(values),
  }));
  return found.sort((a, b) => (a.found < b.found ? -1 : 1));
}
