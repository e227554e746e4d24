/** Hook: a text of a page's state that a reload keeps, such as the address to which a code was sent. */

import { useState } from 'preact/hooks';
import { dropDraft, keepDraft, readDraft } from './draft.ts';

/** Returns the text that is kept under a name, and the function that replaces it, or removes it by `undefined`. */
export function useKeptText(name: string): readonly [string | undefined, (text: string | undefined) => void] {
  const [text, setText] = useState(() => {
    const kept = readDraft(name).text;
    return typeof kept === 'string' ? kept : undefined;
  });
  const replace = (next: string | undefined) => {
    if (next === undefined) dropDraft(name);
    else keepDraft(name, { text: next }, new Set());
    setText(next);
  };
  return [text, replace];
}
