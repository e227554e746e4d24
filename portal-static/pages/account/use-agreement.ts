import { useEffect, useState } from 'preact/hooks';
import type { Agreement, agreements } from '../../../lambdas/catalog/agreements.ts';

/** A text to accept; it comes after the page's code, and is longer than that. */
export function useAgreement(name: keyof typeof agreements): Agreement | undefined {
  const [text, setText] = useState<Agreement>();
  useEffect(() => {
    void import('../../../lambdas/catalog/agreements.ts').then((it) => setText(it.agreements[name]));
  }, [name]);
  return text;
}
