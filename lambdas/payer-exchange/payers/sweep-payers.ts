/** Tests active payers once a day, and reports those that fail again and again. */

import { otherPayerLimits } from '../../catalog/payer/other-payers.ts';
import { failedInARow, type OtherPayer, withCheck } from './other-payer.ts';
import type { OtherPayers } from './other-payers-port.ts';
import { type PayerTest, testPayer } from './test-payer.ts';

export interface PayerSweep extends PayerTest {
  readonly payers: OtherPayers;
  /** Writes a log line, which rings the alarm. */
  readonly report: (
    code: 'payer_failing',
    fields: { readonly payerId: string; readonly fault: string },
  ) => void;
}

/**
 * Tests the active payers whose last test is a day old. One that failed is tested again after an hour until it passes: three failures in a
 * row are no short outage.
 *
 * @returns the IDs of the tested payers
 */
export async function sweepPayers(services: PayerSweep): Promise<readonly string[]> {
  const { payers, now, report } = services;
  const due = (await payers.all()).payers.filter((payer) => isDue(payer, now()));
  // All at once: they are different hosts, and each test ends within its own deadlines.
  await Promise.all(
    due.map(async (payer) => {
      const check = await testPayer(services, payer);
      await payers.recordCheck(payer.payerId, check);
      const failures = failedInARow({ checks: withCheck(payer.checks, check) });
      if (failures >= otherPayerLimits.failuresForAlarm) {
        report('payer_failing', { payerId: payer.payerId, fault: check.fault?.code ?? '' });
      }
    }),
  );
  return due.map(({ payerId }) => payerId);
}

function isDue({ state, checks: [last] }: OtherPayer, now: number): boolean {
  if (state !== 'active') return false;
  if (last === undefined) return true;
  const hours = last.outcome === 'failed' ? 1 : otherPayerLimits.hoursBetweenChecks;
  return now - Date.parse(last.at) >= hours * 3_600_000;
}
