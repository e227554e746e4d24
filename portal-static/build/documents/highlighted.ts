/** Highlights code in the documentation by classes: the pages load no script and no style sheet for it. */

import Prism from 'prismjs';
import 'prismjs/components/prism-bash.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-python.js';

const grammars = {
  html: Prism.languages.markup,
  sh: Prism.languages.bash,
  js: Prism.languages.javascript,
  json: Prism.languages.json,
  py: Prism.languages.python,
} as const;

/**
 * Converts code to HTML: each keyword, string, number and comment is a `<span class="token …">`, everything else is escaped.
 *
 * @param language of the Markdown block; code in a language other than `html`, `sh`, `js`, `json` and `py` is not highlighted.
 */
export function highlighted(text: string, language: string): string {
  const grammar = grammars[language as keyof typeof grammars];
  return grammar === undefined ? escaped(text) : Prism.highlight(text, grammar, language);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
