import { expect, it } from 'vitest';
import { rejectLine } from '../../../lambdas/loads/ledger/rejects.ts';

it('a line of rejects has no character that a terminal obeys, and a path of bounded length', () => {
  const element = `\u009b2J\u202e${'x'.repeat(1_000_000)}.reference`;
  const line = rejectLine('Patient.ndjson', { line: 7, code: 'unserved_reference', element });
  expect(line).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(line.length).toBeLessThan(1_000);
  expect(JSON.parse(line)).toMatchObject({ file: 'Patient.ndjson', line: 7, element: element.slice(0, 300) });
});
