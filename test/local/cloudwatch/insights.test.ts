import { describe, expect, it } from 'vitest';
import { compileQuery, type QueriedEvent } from '../../../local/cloudwatch/insights.ts';

const at = Date.UTC(2026, 10, 28);
const line = (fields: object, log = 'calls'): QueriedEvent => ({
  log,
  timestamp: at,
  message: JSON.stringify(fields),
});
const calls = [
  line({ host: 'dsnp', status: '200', latencyMs: '10' }),
  line({ host: 'dsnp', status: '404', latencyMs: '30', reason: 'not_found' }),
  line({ host: 'mapd', status: '429', latencyMs: '5', reason: '-' }),
  line({ host: 'mapd', status: '429', latencyMs: '7', reason: '-' }),
];

describe('a query of Logs Insights', () => {
  it('counts by fields, in the order that it asks for', () => {
    const run = compileQuery(
      'filter status >= 400\n| stats count(*) as calls by host, status\n| sort calls desc\n| limit 1',
    );
    expect(run(calls)).toEqual({ columns: ['host', 'status', 'calls'], rows: [['mapd', '429', 2]] });
  });

  it('computes percentiles and extremes of texts that are numbers', () => {
    const run = compileQuery(
      'stats pct(latencyMs, 50) as median, max(latencyMs) as longest, avg(latencyMs) as mean by host | sort host asc',
    );
    expect(run(calls).rows).toEqual([
      ['dsnp', 10, 30, 20],
      ['mapd', 5, 7, 6],
    ]);
  });

  it('knows conditions joined by words, and texts that contain the sign between commands', () => {
    const rows = (text: string) => compileQuery(`filter ${text} | fields host, status`)(calls).rows.length;
    expect(rows('host = "dsnp" and status = 404 or host = "mapd"')).toBe(3);
    expect(rows('not (host = "dsnp" or status = 200)')).toBe(2);
    expect(rows('reason like /^not|^never/')).toBe(1);
    expect(rows('reason like "a|b"')).toBe(0);
    expect(rows('ispresent(reason)')).toBe(3);
  });

  it('finds the cold start in the line that Lambda writes about it', () => {
    const report = (text: string) => ({ log: 'f', timestamp: at, message: `REPORT RequestId: r\t${text}` });
    const run = compileQuery(
      'filter @type = "REPORT" and ispresent(@initDuration) | stats count(*) as starts, max(@initDuration) as ms by @log',
    );
    const events = [report('Duration: 3.00 ms'), report('Duration: 3.00 ms\tInit Duration: 120.50 ms')];
    expect(run(events).rows).toEqual([['f', 1, 120.5]]);
  });

  it('reads the JSON behind the time and request ID of a function’s line', () => {
    const message = '2026-11-28T00:00:00.000Z\tr\tINFO\t{"code":"defect","errorName":"TypeError"}';
    const run = compileQuery('filter code = "defect" | fields @timestamp, errorName');
    expect(run([{ log: 'f', timestamp: at, message }]).rows).toEqual([
      ['2026-11-28T00:00:00.000Z', 'TypeError'],
    ]);
  });

  it.each([
    'parse @message "x"',
    'filter status => 400',
    'filter status = other',
    'stats median(latencyMs) as m',
    'sort a b c',
    'limit many',
    'filter (status = 1',
  ])('is refused by its text where it is not known: %s', (text) => {
    expect(() => compileQuery(text)).toThrow(/is not known on one machine/);
  });
});
