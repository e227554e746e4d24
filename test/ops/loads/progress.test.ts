import { describe, expect, it } from 'vitest';
import { progressText, showProgress } from '../../../ops/loads/progress.ts';

describe('the progress of a load', () => {
  const task = { subject: 'daily.0a1b2c3d', unit: 'rows', total: 46_000 } as const;

  it('tells share, rows, rate, time left, state and file', () => {
    const progress = { done: 12_034, state: 'running', file: 'Observation.ndjson (3 of 28 files done)' };
    expect(progressText(task, progress, { ms: 8000, done: 12_034 })).toBe(
      '26 %, 12,034 of 46,000 rows, 1,504 rows/s, 23 s left, running, Observation.ndjson (3 of 28 files done)',
    );
    expect(progressText(task, { done: 46_000 }, { ms: 8000, done: 46_000 })).toBe(
      '100 %, 46,000 of 46,000 rows, 5,750 rows/s',
    );
  });

  it('tells an upload in megabytes, and hours in hours', () => {
    const upload = { unit: 'bytes', total: 50_000_000_000 } as const;
    expect(progressText(upload, { done: 16_777_216 }, { ms: 2000, done: 16_777_216 })).toBe(
      '0 %, 16.8 of 50,000.0 MB, 8.4 MB/s, 1 h 40 min left',
    );
    expect(progressText(upload, { done: 0 }, { ms: 500, done: 0 })).toBe('0 %, 0.0 of 50,000.0 MB');
    expect(progressText({ unit: 'rows', total: 0 }, { done: 0 }, { ms: 0, done: 0 })).toBe(
      '100 %, 0 of 0 rows',
    );
  });

  it('says a line at once and every ten seconds where nobody sits at a terminal, the load first', () => {
    const noted: string[] = [];
    let now = 0;
    const display = showProgress({ note: (text) => noted.push(text) }, { ...task, now: () => now });
    for (; now <= 25_000; now += 500) display.at({ done: now });
    display.end();
    expect(noted).toHaveLength(4);
    expect(noted.map((text) => /^daily\.0a1b2c3d (\d+) %/.exec(text)?.[1])).toEqual(['0', '21', '43', '54']);
  });

  it('tells the rate of the last minute, not of the time in line', () => {
    const noted: string[] = [];
    let now = 0;
    const display = showProgress({ note: (text) => noted.push(text) }, { ...task, now: () => now });
    display.at({ done: 0, state: 'accepted, 2 before it' });
    now = 3_600_000;
    display.at({ done: 0, state: 'running' });
    now += 20_000;
    display.at({ done: 20_000, state: 'running' });
    now += 3_600_000;
    display.at({ done: 20_000, state: 'running' });
    expect(noted.slice(2)).toEqual([
      'daily.0a1b2c3d 43 %, 20,000 of 46,000 rows, 1,000 rows/s, 26 s left, running',
      'daily.0a1b2c3d 43 %, 20,000 of 46,000 rows, running',
    ]);
  });

  it('draws one line again on a terminal, within its width, and none of a name as a command', () => {
    const written: string[] = [];
    const live = { columns: 39, write: (text: string) => written.push(text) };
    const display = showProgress({ note: () => {}, live }, { ...task, subject: 'x\u009b31m', now: () => 0 });
    display.at({ done: 23_000 });
    display.end();
    expect(written).toEqual(['\r\u001b[Kx\\u009b31m [##########..........] 50 %', '\n']);
  });
});
