import { describe, expect, it } from 'vitest';
import type { CallView } from '../../lambdas/portal/api/views.ts';
import {
  callsAddress,
  callsQueryOf,
  filterErrors,
  filterOf,
  isFiltered,
  noFilter,
} from '../../portal-static/pages/applications/call-filter-model.ts';
import { agoText } from '../../portal-static/pages/applications/last-used-model.ts';
import { joinNewer, nextWaitMs, sinceOf } from '../../portal-static/pages/applications/live-calls-model.ts';

describe('the last use of a credential', () => {
  it.each([
    [59_999, 'Just now'],
    [60_000, '1 minute ago'],
    [59 * 60_000, '59 minutes ago'],
    [61 * 60_000, '1 hour ago'],
    [49 * 3_600_000, '2 days ago'],
    [-5, 'Just now'],
  ])('%i milliseconds ago is %s', (age, text) => {
    const now = Date.UTC(2026, 10, 27);
    expect(agoText(new Date(now - age).toISOString(), now)).toBe(text);
  });
});

describe('the filter of the log of calls', () => {
  const filter = { ...noFilter, outcome: 'refused', path: ' Patient/{id}', minutes: '60' };

  it('is in the page’s address, and read from it again', () => {
    const address = callsAddress('/applications/app-1/calls', 'production', filter);
    const { pathname, searchParams } = new URL(address, 'https://developer.example.org');
    expect(pathname).toBe('/applications/app-1/calls');
    expect(searchParams.get('environment')).toBe('production');
    expect(filterOf(Object.fromEntries(searchParams))).toEqual({ ...filter, path: 'Patient/{id}' });
    expect(callsAddress('/applications/app-1/calls', 'sandbox', noFilter)).toBe('/applications/app-1/calls');
  });

  it('asks for a period up to now, and for nothing by an empty field', () => {
    const now = Date.UTC(2026, 10, 27, 10);
    expect(callsQueryOf(noFilter, now)).toEqual({});
    expect(callsQueryOf({ ...noFilter, minutes: 'typed into the address' }, now)).toEqual({});
    expect(callsQueryOf(filter, now)).toEqual({
      outcome: 'refused',
      path: 'Patient/{id}',
      from: '2026-11-27T09:00:00.000Z',
    });
    expect([isFiltered(noFilter), isFiltered({ ...noFilter, lob: ' ' }), isFiltered(filter)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('a filter that the service refuses', () => {
  it('is named beside its fields', () => {
    const errors = [{ pointer: '/path', code: 'invalid', expected: 'a path' }] as const;
    const problem = {
      type: '',
      title: '',
      status: 400,
      detail: '',
      code: 'invalid_request',
      requestId: '',
      errors,
    } as const;
    expect(filterErrors(problem)).toEqual({ path: 'Enter a path.' });
    expect(filterErrors(undefined)).toEqual({});
  });
});

describe('following new calls', () => {
  const call = (requestId: string, second: number, more: Partial<CallView> = {}): CallView => ({
    at: new Date(Date.UTC(2026, 10, 27, 10, 0, 0, second * 1_000)).toISOString(),
    ...{ host: 'h', method: 'GET', route: '/r', status: 200, requestId, ...more },
  });

  it('looks again after ten seconds, and later each time while there is nothing new', () => {
    expect(nextWaitMs()).toBe(10_000);
    expect(nextWaitMs(10_000)).toBe(20_000);
    expect(nextWaitMs(40_000)).toBe(40_000);
    expect(nextWaitMs(40_000, 1)).toBe(10_000);
  });

  it('looks from a minute before the newest call, for those logged late, and never before the filter', () => {
    expect(sinceOf([call('a', 30)], 0)).toBe('2026-11-27T09:59:30.000Z');
    expect(sinceOf([], Date.UTC(2026, 10, 27, 10))).toBe('2026-11-27T09:59:00.000Z');
    expect(sinceOf([call('a', 30)], 0, '2026-11-27T10:00:00.000Z')).toBe('2026-11-27T10:00:00.000Z');
  });

  it('adds each new call once in its place, and renews those that are listed', () => {
    const listed = { calls: [call('b', 2), call('a', 1)], next: '1.a' };
    const seen = { calls: [call('c', 3), call('b', 2, { reason: 'code_expired' }), call('late', 1.5)] };
    const joined = joinNewer(listed, seen);
    expect(joined.added).toBe(2);
    expect(joined.listed.calls.map(({ requestId }) => requestId)).toEqual(['c', 'b', 'late', 'a']);
    expect(joined.listed.calls[1]?.reason).toBe('code_expired');
    expect(joined.listed.next).toBe('1.a');
  });

  it('begins a new list where a look has not reached the old one', () => {
    const seen = { calls: [call('z', 50), call('y', 49)], next: '49.y' };
    expect(joinNewer({ calls: [call('a', 1)], next: '1.a' }, seen)).toEqual({ listed: seen, added: 2 });
  });

  it('lists a thousand calls at most, and then none before them', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => call(`old-${at}`, -at));
    const { listed } = joinNewer({ calls: many, next: '1.a' }, { calls: [call('new', 1)] });
    expect(listed.calls).toHaveLength(1_000);
    expect(listed.next).toBeUndefined();
  });
});
