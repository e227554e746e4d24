/**
 * Splits a parameter's value at a separator that no backslash escapes; the parts keep their escapes, since they may be split
 * again by another separator (R4, search.html#escaping).
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

/** Takes the backslash from what it escapes: `,`, `|`, `$` and itself. Before anything else it is a backslash. */
export function unescaped(text: string): string {
  return text.replace(/\\([\\,|$])/g, '$1');
}
