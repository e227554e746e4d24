/** Converts a name to a construct's id: `audit-window` to `AuditWindow`. */
export function pascalCase(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());
}
