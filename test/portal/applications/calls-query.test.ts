import { describe, expect, it } from 'vitest';
import { readCallsQuery } from '../../../lambdas/portal/applications/calls-query.ts';

describe('the query of the log of calls', () => {
  it('is the newest fifty calls where it says nothing', () => {
    expect(readCallsQuery({ lob: '', path: undefined })).toEqual({
      kind: 'query',
      query: { limit: 50, filter: {} },
    });
  });

  it('has a filter, a time, and a place to go on from', () => {
    const query = {
      ...{ lob: 'DSNP', outcome: 'refused', status: '401', path: 'Patient/{id}', requestId: 'a-1=' },
      ...{ from: '2026-11-27T09:00:00Z', to: '2026-11-27T10:00:00.5-05:00', limit: '200', next: '12.a-1=' },
    };
    expect(readCallsQuery(query)).toEqual({
      kind: 'query',
      query: {
        limit: 200,
        filter: { lob: 'DSNP', outcome: 'refused', status: 401, path: 'Patient/{id}', requestId: 'a-1=' },
        from: Date.UTC(2026, 10, 27, 9),
        to: Date.UTC(2026, 10, 27, 15, 0, 0, 500),
        before: { time: 12, requestId: 'a-1=' },
      },
    });
  });

  it.each([
    ['limit', '0'],
    ['limit', '1.5'],
    ['next', '5'],
    ['lob', 'dsnp'],
    ['outcome', 'failed'],
    ['status', '99'],
    ['status', '4xx'],
    ['path', 'Patient" || $.clientId = "another'],
    ['path', '*'],
    ['path', 'a'.repeat(101)],
    ['requestId', 'a b'],
    ['from', 'yesterday'],
    ['from', '2026-11-27T09:00'],
    ['to', '2026-13-27T09:00:00Z'],
  ])('names %s where it is %j', (name, text) => {
    const read = readCallsQuery({ [name]: text });
    expect(read.kind === 'wrong' && read.errors).toEqual([{ name, expected: expect.any(String) }]);
  });

  it('begins before it ends', () => {
    const read = readCallsQuery({ from: '2026-11-27T10:00:00Z', to: '2026-11-27T09:00:00Z' });
    expect(read).toMatchObject({ kind: 'wrong', errors: [{ name: 'from' }] });
  });
});
