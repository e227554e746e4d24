/**
 * Splits a parameter's value at each separator that isn't escaped with a backslash. Escapes are kept, since the results may be split again
 * at another separator (R4, search.html#escaping).
 */
export function splitUnescaped(text: string, separator: ',' | '|'): readonly string[] {
  const parts = [''];
  let escaped = false;
  for (const unit of text) {
    if (unit === separator && !escaped) parts.push('');
    else parts[parts.length - 1] += unit;
    escaped = unit === '\\' && !escaped;
  }
  return parts;
}

/** Removes the backslash before `,`, `|`, `$` and `\`. Before any other character a backslash stays. */
export function unescaped(text: string): string {
  return text.replace(/\\([\\,|$])/g, '$1');
}
