/**
 * Compiles an IAM pattern: `*` stands for any characters, `?` for one. A policy variable (`${aws:username}`) is not supported; a pattern
 * with one returns `unknown` for every value.
 */
export function compilePattern(pattern: string, unknown = false): (value: string) => boolean {
  if (pattern.includes('${')) return () => unknown;
  if (pattern === '*') return () => true;
  if (!/[*?]/.test(pattern)) return (value) => value === pattern;
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const regexp = new RegExp(`^${expression}$`, 's');
  return (value) => regexp.test(value);
}

/** Compiles an ARN pattern, whose six parts are compared separately, as ArnLike and ArnEquals do. */
export function compileArnPattern(pattern: string, unknown = false): (value: string) => boolean {
  const parts = arnParts(pattern).map((part) => compilePattern(part, unknown));
  return (value) => {
    const given = arnParts(value);
    return given.length === parts.length && parts.every((part, index) => part(given[index] ?? ''));
  };
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length <= 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}
