import { describe, expect, it } from 'vitest';
import { defects, percentile, serverErrors, slowed, Tally } from './tally.ts';

describe('the table of a soak', () => {
  it('counts calls, refusals to come later and lost answers by kind', () => {
    const tally = new Tally();
    for (const ms of [10, 20, 300]) tally.answered('read', ms);
    tally.later('read');
    tally.unanswered('refresh');
    expect(tally.counts).toEqual([
      { kind: 'read', calls: 3, later: 1, unanswered: 0, p50Ms: 20, p99Ms: 300 },
      { kind: 'refresh', calls: 0, later: 0, unanswered: 1, p50Ms: 0, p99Ms: 0 },
    ]);
    tally.broken('a token is lost');
    tally.broken('a token is lost');
    expect(tally.breaches).toEqual(['a token is lost (2 times)']);
  });

  it('compares a phase with the idle system, and takes what was not called for no proof', () => {
    const tally = new Tally();
    for (const kind of ['read', 'refresh', 'search']) tally.answered(kind, 10);
    const idle = tally.take();
    tally.answered('read', 30);
    tally.answered('refresh', 31);
    expect(slowed(['read', 'refresh', 'search'], idle, tally.take())).toEqual([
      'refresh: p99 31 ms, more than 3 times the 10 ms of the idle system',
      'search: was not measured',
    ]);
    expect(tally.counts).toEqual([]);
  });

  it('has percentiles by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([percentile(hundred, 50), percentile(hundred, 99), percentile([], 99)]).toEqual([50, 99, 0]);
  });

  it('takes server errors but 503 from the request log, whatever host of a line of business they are of', () => {
    const line = (host: string, status: number, rest = '') =>
      `12:00:00.000 GET ${host} /Patient/{id} ${status} 12 ms 7177e559-c4c7-4fb1-a261-e3e0161f4a98${rest}`;
    const log = [
      line('dsnp.api.sandbox.localhost', 200),
      line('dsnp.api.sandbox.localhost', 503),
      line('dsnp.api.sandbox.localhost', 502, ' DEFAULT_5XX: the function failed: Error'),
      line('mapd.api.sandbox.localhost', 502, ' DEFAULT_5XX: the function failed: Error'),
      'Ready in 12 s',
    ].join('\n');
    expect(serverErrors(log)).toEqual([
      'GET <lob>.api.sandbox.localhost /Patient/{id} 502 DEFAULT_5XX: the function failed: Error (2 times)',
    ]);
  });

  it('names the defects in the logs of functions', () => {
    const line = (route: string, code: string) =>
      `{"time":"2026-11-24T19:04:09.869Z","level":"error","code":"${code}","route":"${route}","errorName":"ThrottlingException"}`;
    const log = [line('audit-verify', 'defect'), line('audit-verify', 'defect'), line('token', 'refused')];
    expect(defects(log.join('\n'))).toEqual(['audit-verify: ThrottlingException (2 times)']);
  });
});
