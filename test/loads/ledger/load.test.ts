import { describe, expect, it } from 'vitest';
import {
  hasLoadEnded,
  judgeLoad,
  loadStates,
  loadTransitions,
  mostRejects,
  rowsIn,
} from '../../../lambdas/loads/ledger/load.ts';
import { dropPlace, readManifest } from '../../../lambdas/loads/ledger/manifest.ts';
import fc from '../../support/property.ts';

const counts = fc.record({
  ...{ loaded: fc.nat(50), unchanged: fc.nat(50), older: fc.nat(50), rejected: fc.nat(50) },
});
const file = fc.record({
  controlTotal: fc.nat(200),
  counts,
  refused: fc.boolean(),
  openRanges: fc.constantFrom(0, 0, 0, 1),
});

describe('the verdict on a load', () => {
  it('is reconciled only where every row of every file is accounted for', () => {
    fc.assert(
      fc.property(fc.array(file, { minLength: 1 }), fc.nat(100), (files, tolerated) => {
        const { kind } = judgeLoad(files, tolerated);
        const adds = files.every(
          (one) => !one.refused && one.openRanges === 0 && rowsIn(one.counts) === one.controlTotal,
        );
        expect(kind === 'not-reconciled').toBe(!adds);
        const rejected = files.reduce((sum, one) => sum + one.counts.rejected, 0);
        const rows = files.reduce((sum, one) => sum + rowsIn(one.counts), 0);
        if (kind === 'reconciled') expect(rejected).toBeLessThanOrEqual(mostRejects(rows, tolerated));
      }),
    );
  });

  const verdict = (rows: number, rejected: number, percent: number, older = 0) => {
    const of = { loaded: rows - rejected - older, unchanged: 0, older, rejected };
    return judgeLoad([{ controlTotal: rows, counts: of, refused: false, openRanges: 0 }], percent).kind;
  };

  it('fails where more rows were rejected than are tolerated', () => {
    expect(verdict(1_000, 20, 2)).toBe('reconciled');
    expect(verdict(1_000, 20, 1.9)).toBe('failed');
  });

  it('tolerates a few rows of a small drop, unless none are tolerated', () => {
    expect(verdict(5, 1, 1)).toBe('reconciled');
    expect(verdict(5, 2, 1)).toBe('failed');
    expect(verdict(2, 1, 1)).toBe('failed');
    expect(verdict(200, 10, 1)).toBe('reconciled');
    expect(verdict(200, 11, 1)).toBe('failed');
    expect(verdict(5, 1, 0)).toBe('failed');
  });

  it('does not count older rows as rejected', () => {
    expect(verdict(5, 0, 0, 5)).toBe('reconciled');
  });
});

describe('the states of a load', () => {
  it('are reached from `accepted`, and an ended load goes on only by a retry', () => {
    const edges = Object.entries(loadTransitions);
    for (const state of loadStates) {
      if (state !== 'accepted') expect(edges.some(([, { to }]) => to === state)).toBe(true);
      const acts = edges.filter(([, { from }]) => (from as readonly string[]).includes(state));
      if (hasLoadEnded(state)) expect(acts.map(([act]) => act)).toEqual(['retry']);
    }
  });
});

describe('a manifest', () => {
  const place = dropPlace('DSNP/claims/2026-11-22/manifest.json');
  const manifest = {
    lob: 'DSNP',
    source: 'claims',
    kind: 'full',
    createdAt: '2026-11-22T02:00:00Z',
    files: [{ name: 'Patient.ndjson', type: 'Patient', rows: 1, sha256: 'a'.repeat(64) }],
  };
  const read = (value: object) => place && readManifest(JSON.stringify(value), place);

  it('is read', () => {
    expect(read(manifest)).toEqual({ kind: 'manifest', manifest });
  });

  it.each([
    ['of another LOB', { ...manifest, lob: 'MAPD' }, 'lob'],
    ['of another source', { ...manifest, source: 'eligibility' }, 'source'],
    [
      'with a file outside its folder',
      { ...manifest, files: [{ ...manifest.files[0], name: '../x.ndjson' }] },
      'files.0.name',
    ],
    ['with a file twice', { ...manifest, files: [manifest.files[0], manifest.files[0]] }, 'files'],
  ])('is refused %s', (_name, value, path) => {
    expect(read(value)).toMatchObject({ kind: 'refused', issues: [{ path }] });
  });

  it.each([
    'DSNP/claims/manifest.json',
    'dsnp/claims/d1/manifest.json',
    'DSNP/claims/d1/x/manifest.json',
    'XXXX/claims/d1/manifest.json',
  ])('is none at %s', (key) => {
    expect(dropPlace(key)).toBeUndefined();
  });
});
