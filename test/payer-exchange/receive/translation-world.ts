import { type TranslatedRow, translateRow } from '../../../lambdas/payer-exchange/receive/translate-row.ts';
import type { TranslationContext } from '../../../lambdas/payer-exchange/receive/translation-context.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';

/** Another payer with two matched members of this plan. */
export const context: TranslationContext = {
  payer: {
    payerId: 'old-plan',
    name: 'Old Plan',
    fhirBase: 'https://old.example/fhir',
    identifiers: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }],
  },
  members: new Map([
    ['a', 'p1'],
    ['b', 'p2'],
  ]),
  transactionTime: '2026-11-20T00:00:00Z',
  sha256: digests.sha256Hex,
};

export function translate(row: unknown, of: TranslationContext = context): TranslatedRow {
  const text = typeof row === 'string' ? row : JSON.stringify(row);
  return translateRow({ kind: 'text', line: 3, text }, of);
}

/** The resource that a row becomes. */
export function translatedResource(row: unknown, of?: TranslationContext) {
  const answer = translate(row, of);
  if (answer.kind !== 'row') throw new Error(`the row is ${JSON.stringify(answer)}`);
  return JSON.parse(answer.json);
}
