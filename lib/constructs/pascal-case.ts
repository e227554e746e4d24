/** A name of ours as a construct's id: `audit-window` is `AuditWindow`. */
export function pascalCase(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());
}
