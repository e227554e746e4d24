import type { Agreement, agreements } from '../../../lambdas/portal/catalog/agreements.ts';
import { useLater } from '../../components/later.tsx';

/** Loads the text of an agreement after the page is shown, because the text is larger than the page's code. */
export function useAgreement(name: keyof typeof agreements): Agreement | 'failed' | undefined {
  return useLater(
    async () => (await import('../../../lambdas/portal/catalog/agreements.ts')).agreements[name],
  );
}
