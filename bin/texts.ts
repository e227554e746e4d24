/** `npm run texts`: lists every text that a person reads, for an editor to review. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/** A text that a person reads, with its position in the sources. */
export interface Text {
  readonly file: string;
  /** Line in the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Folders with texts for developers, members, operators and the platform team. */
const folders = ['lambdas', 'portal-static', 'ops', 'local', 'lib', 'docs', ':(glob)*.md'];
/** Matches a text of two words or more that is no DynamoDB expression, media type or import. */
const sentence = /^(?=.*\p{L}{2,}[^\p{L}]*\s+[^\s]*\p{L})(?!.*(?:#\w+ =|attribute_|application\/|import ))/u;
const styled = /^[\w-]+( [\w-]*-[\w-]*)+$/;

/** Lists every text that a person reads, in the order of files and lines. @param root of the repository */
export function listTexts(root: string): Text[] {
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(tsx?|md|mjs)$/.test(file))
    .sort();
  return files.flatMap((file) => {
    const source = readFileSync(`${root}/${file}`, 'utf8');
    return file.endsWith('.md') ? paragraphs(file, source) : literals(file, source);
  });
}

function paragraphs(file: string, source: string): Text[] {
  return source.split('\n').flatMap((text, at) => {
    return /\p{L}/u.test(text) ? [{ file, line: at + 1, text: text.trim() }] : [];
  });
}

/** Lists JSX texts, string literals and template literals; `…` replaces interpolated values. */
function literals(file: string, source: string): Text[] {
  const found: (Text & { readonly start: number })[] = [];
  const add = (start: number, raw: string) => {
    const text = raw.replace(/\s+/g, ' ').trim();
    if (!sentence.test(text) || styled.test(text)) return;
    found.push({ file, line: source.slice(0, start).split('\n').length, text, start });
  };
  const { program } = parseSync(file, source);
  new Visitor({
    JSXText: (node) => add(node.start, node.value),
    Literal: (node) => {
      if (typeof node.value === 'string') add(node.start, node.value);
    },
    TemplateLiteral: (node) => {
      add(node.start, node.quasis.map((part) => part.value.cooked ?? part.value.raw).join('…'));
    },
  }).visit(program);
  return found
    .sort((one, other) => one.start - other.start)
    .map(({ file: path, line, text }) => ({ file: path, line, text }));
}

if (import.meta.main) {
  for (const { file, line, text } of listTexts(process.cwd())) console.log(`${file}:${line}\t${text}`);
}
