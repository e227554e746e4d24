/** Colours of code in the documentation, as classes: the pages have no script or style of their own for it. */

import Prism from 'prismjs';
import 'prismjs/components/prism-bash.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-python.js';

const grammars = {
  sh: Prism.languages.bash,
  js: Prism.languages.javascript,
  json: Prism.languages.json,
  py: Prism.languages.python,
} as const;

/**
 * Code as HTML: each keyword, string, number and comment is a `<span class="token …">`, everything else is escaped.
 *
 * @param language of the Markdown block; another than `sh`, `js`, `json` and `py` is left plain.
 */
export function highlighted(text: string, language: string): string {
  const grammar = grammars[language as keyof typeof grammars];
  return grammar === undefined ? escaped(text) : Prism.highlight(text, grammar, language);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
