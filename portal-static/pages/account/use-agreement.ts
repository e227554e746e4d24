import type { Agreement, agreements } from '../../../lambdas/portal/catalog/agreements.ts';
import { useLater } from '../../components/later.tsx';

/** A text to accept; it comes after the page's code, and is longer than that. */
export function useAgreement(name: keyof typeof agreements): Agreement | 'failed' | undefined {
  return useLater(
    async () => (await import('../../../lambdas/portal/catalog/agreements.ts')).agreements[name],
  );
}
